import Foundation

/// A command of the search path.
enum Command {
  /// Returns what the command prints.
  static func run(_ command: String...) throws(Refusal) -> Data {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    do {
      try process.run()
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Refusal("\(command.joined(separator: " ")) failed with \(process.terminationStatus)")
      }
      return data
    } catch {
      throw error as? Refusal ?? Refusal("\(command.joined(separator: " ")): \(error)")
    }
  }
}
