import Foundation

/// Why there is no table.
struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// A process.
struct Command {
  let arguments: [String]
  var folder: URL?
  var environment: [String: String] = [:]

  struct Result {
    /// 128 and the signal, for one that trapped; 124 for one that was stopped at the limit.
    let status: Int32
    let output: Data
    let errors: Data

    var text: String { String(decoding: output + errors, as: UTF8.self) }
  }

  /// Runs it for at most `limit` seconds of real time, with the least priority: it shares the machine.
  func run(limit: Int) async throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["nice", "-n", "19", "timeout", "--kill-after", "5", "\(limit)"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = folder }
    let notes = FileManager.default.temporaryDirectory.appending(path: "mutation-\(UUID().uuidString)")
    let paths = ["out", "err"].map { notes.appendingPathExtension($0) }
    defer { for path in paths { try? FileManager.default.removeItem(at: path) } }
    for path in paths { try Data().write(to: path) }
    process.standardOutput = try FileHandle(forWritingTo: paths[0])
    process.standardError = try FileHandle(forWritingTo: paths[1])
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    return Result(
      status: (process.terminationReason == .uncaughtSignal ? 128 : 0) + process.terminationStatus,
      output: try Data(contentsOf: paths[0]), errors: try Data(contentsOf: paths[1]))
  }
}
