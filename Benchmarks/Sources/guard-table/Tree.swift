import Foundation

/// A copy of the package in which guards are undone.
struct Tree {
  let original: URL
  let copy: URL

  /// Copies what a build of `simrun` needs. The folder is kept, so that the next build is short.
  init(of package: URL, at copy: URL) throws {
    original = package
    self.copy = copy
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for name in ["Package.swift", "Sources", "Tests", "scenarios.json", "scenarios"] {
      let from = package.appending(path: name)
      let to = copy.appending(path: name)
      try? FileManager.default.removeItem(at: to)
      if FileManager.default.fileExists(atPath: from.path) {
        try FileManager.default.copyItem(at: from, to: to)
      }
    }
  }

  /// Writes the files of `guards` anew: those of `undone` without their guard, all others as they are.
  func write(_ guards: [Guard], undoing undone: [Guard]) throws {
    for file in Set(guards.flatMap { $0.edits.map(\.file) }) {
      let text = try String(contentsOf: original.appending(path: file), encoding: .utf8)
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for edit in undone.flatMap(\.edits) where edit.file == file {
        let indent = lines[edit.line].prefix { $0 == " " }
        lines[edit.line] = edit.replacement.map { indent + $0 } ?? ""
      }
      let changed = lines.joined(separator: "\n")
      let target = copy.appending(path: file)
      if (try? String(contentsOf: target, encoding: .utf8)) != changed {
        try changed.write(to: target, atomically: true, encoding: .utf8)
      }
    }
  }

  /// Builds the tool; answers the files that the compiler refused, none when all is well.
  func build() throws -> [String] {
    let result = try Command([
      "swift", "build", "-c", "release", "--product", "simrun", "--package-path", copy.path,
    ]).run(limit: 900)
    guard result.status != 0 else { return [] }
    let refused = result.output.split(separator: "\n").filter { $0.contains(": error:") }.compactMap { line in
      line.range(of: copy.path + "/").map { String(line[$0.upperBound...].prefix { $0 != ":" }) }
    }
    guard !refused.isEmpty else { throw Failure(description: "the build failed:\n\(result.output)") }
    return Array(Set(refused))
  }

  /// Runs one scenario.
  func play(_ scenario: String) throws -> Command.Result { try simrun("--filter", scenario) }

  /// Draws so many stories of one system, besides all short ones.
  func playStories(of system: String, _ stories: Int) throws -> Command.Result {
    try simrun("fuzz", "--schedules", "\(stories)", system)
  }

  private func simrun(_ arguments: String...) throws -> Command.Result {
    try Command([copy.appending(path: ".build/release/simrun").path] + arguments, in: copy).run(limit: 300)
  }
}

/// Why there is no table.
struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// A process.
struct Command {
  private let arguments: [String]
  private let folder: URL?

  init(_ arguments: [String], in folder: URL? = nil) {
    self.arguments = arguments
    self.folder = folder
  }

  struct Result {
    /// 128 and the signal, for one that trapped; 124 for one that was stopped at the limit.
    let status: Int32
    let output: String
  }

  /// Runs it for at most `limit` seconds of real time.
  func run(limit: Int) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "\(limit)"] + arguments
    if let folder { process.currentDirectoryURL = folder }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let status =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    return Result(status: status, output: String(decoding: data, as: UTF8.self))
  }
}
