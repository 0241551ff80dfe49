import Foundation

/// A tool that has been started, so that something can be done to it.
final class RunningTool {
  private let process = Process()
  private let end = ProcessEnd()
  private let scratch: Scratch

  /// Starts `tool`, which stands beside the test bundle.
  init(_ arguments: [String], tool: String = "simrun", environment: [String: String] = [:]) throws {
    scratch = try Scratch()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: tool)
    process.arguments = arguments
    process.currentDirectoryURL = Tool.packageFolder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = try scratch.handle("output")
    process.standardError = try scratch.handle("errors")
    process.standardInput = FileHandle.nullDevice
    try end.start(process)
  }

  var pid: Int32 { process.processIdentifier }

  /// Starts a tool, does something to it, and waits for its end.
  ///
  /// All this has a thread of its own. The threads of the concurrent pool can be busy with other tests for minutes, and a
  /// tool to which something is to be done would have ended meanwhile.
  static func run<Seen: Sendable>(
    _ arguments: [String], tool: String = "simrun", environment: [String: String] = [:],
    during body: @escaping @Sendable (RunningTool) throws -> Seen
  ) async throws -> (seen: Seen, result: Tool.Result) {
    try await onThread {
      let running = try RunningTool(arguments, tool: tool, environment: environment)
      let seen = try body(running)
      running.process.waitUntilExit()
      return (seen, try running.written())
    }
  }

  /// Waits for its end.
  func result() async throws -> Tool.Result {
    await end.wait()
    return try written()
  }

  private func written() throws -> Tool.Result {
    Tool.Result(
      status: process.terminationStatus, output: try scratch.text("output"),
      errors: try scratch.text("errors"))
  }

  /// What it has started, once there are so many; what there is after two minutes. It holds its thread.
  func workers(_ count: Int) -> [Int32] {
    _ = Self.wait(seconds: 120) { Self.children(of: pid).count >= count }
    return Self.children(of: pid)
  }

  /// Waits until what it has written so far contains `text`; false after ten minutes. It holds its thread.
  func waits(for text: String) throws -> Bool {
    try Self.wait(seconds: 600) { try scratch.text("output").contains(text) }
  }

  /// Waits until `condition` holds; false when the time is over. It holds its thread.
  static func wait(seconds: Int, until condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<seconds * 100 {
      if try condition() { return true }
      usleep(10_000)
    }
    return false
  }

  static func isAlive(_ pid: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
    return !status.contains(") Z ")
  }

  /// The command line of a process, in one piece.
  static func command(of pid: Int32) -> String {
    (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)) ?? ""
  }

  static func children(of pid: Int32) -> [Int32] {
    let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
    return (text ?? "").split(separator: " ").compactMap { Int32($0) }
  }
}
