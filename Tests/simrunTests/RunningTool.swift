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

  /// Waits for its end.
  func result() async throws -> Tool.Result {
    await end.wait()
    return Tool.Result(
      status: process.terminationStatus, output: try scratch.text("output"),
      errors: try scratch.text("errors"))
  }

  /// What it has started, once there are so many; whatever there is after ten seconds.
  func workers(_ count: Int) async throws -> [Int32] {
    var found: [Int32] = []
    for _ in 0..<1_000 {
      found = Self.children(of: pid)
      if found.count >= count { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    return found
  }

  /// Waits until what it has written so far contains `text`; false after a minute.
  func waits(for text: String) async throws -> Bool {
    for _ in 0..<6_000 {
      if try scratch.text("output").contains(text) { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  static func isAlive(_ pid: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
    return !status.contains(") Z ")
  }

  private static func children(of pid: Int32) -> [Int32] {
    let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
    return (text ?? "").split(separator: " ").compactMap { Int32($0) }
  }
}
