import Foundation
import TestEffort

/// The built `simrun`, run as a person runs it.
struct Tool {
  struct Result {
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    /// The output without the ends of its lines.
    var words: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    /// The lines to paste: the words after the name of the tool.
    var replayLines: [[String]] {
      lines.compactMap { line in
        guard let start = line.firstRange(of: "  replay: "),
          let command = line[start.upperBound...].firstRange(of: " replay ")
        else { return nil }
        return line[command.lowerBound...].split(separator: " ").map(String.init)
      }
    }
  }

  /// What it says of all that the package holds, or of a part. A run that has said it before is not repeated: then
  /// `SIMULATOR_CATALOG` is the file to which a successful `simrun --strict --verbose` has printed.
  static let catalog = Task {
    if let path = ProcessInfo.processInfo.environment["SIMULATOR_CATALOG"] {
      return Result(status: 0, output: try String(contentsOfFile: path, encoding: .utf8), errors: "")
    }
    return try await run(["--strict", "--verbose"] + (triesMore ? [] : ["--filter", "s*y*"]))
  }

  /// Runs it in the package's folder and waits for its end.
  static func run(_ arguments: String..., in folder: URL = packageFolder) async throws -> Result {
    try await run(arguments, in: folder)
  }

  static func run(_ arguments: [String], in folder: URL = packageFolder) async throws -> Result {
    try await run(arguments, of: binary, in: folder)
  }

  private static func run(_ arguments: [String], of program: URL, in folder: URL) async throws -> Result {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Files, because a pipe that nobody reads blocks a talkative tool.
    let scratch = try Scratch()
    let output = try scratch.handle("output")
    let errors = try scratch.handle("errors")
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try await ToolSlots.shared.occupied { try await process.runToItsEnd() }
    return Result(
      status: process.terminationStatus, output: try scratch.text("output"),
      errors: try scratch.text("errors"))
  }

  /// Starts it, and tells nobody what it says.
  static func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = binary
    process.arguments = arguments
    process.currentDirectoryURL = packageFolder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs a line of a shell in the package's folder.
  static func shell(_ line: String) async throws -> Result {
    try await run(["-c", line], of: URL(filePath: "/bin/sh"), in: packageFolder)
  }

  /// What it shows on a terminal.
  static func onTerminal(
    _ arguments: [String], environment: [String: String], columns: UInt16? = nil
  ) async throws -> String {
    let terminal = try PseudoTerminal(columns: columns)
    let process = Process()
    process.executableURL = binary
    process.arguments = arguments
    process.currentDirectoryURL = packageFolder
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
      .merging(environment) { $1 }
    process.standardOutput = terminal.program
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return try await terminal.shown()
  }

  static var path: String { binary.path }

  static let packageFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The tool stands beside the test bundle that runs.
  private static let binary = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "simrun")
}

/// A folder that lives as long as this.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "simrun-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func handle(_ name: String) throws -> FileHandle {
    let url = folder.appending(path: name)
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// How many bytes a file in it has; 0 where there is none.
  func size(_ name: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int) ?? 0
  }

  /// What is in it, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Writes a file anew, and removes what a killed process may have left beside it.
  func replace(_ name: String, with text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  /// Writes a file and answers its path.
  func write(_ text: String, as name: String) throws -> String {
    let url = folder.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url.path
  }
}
