import Foundation
import LockPrograms

/// This program as it was built with the flag: it prints what it shows, and this one reads that.
struct OtherBuild {
  let path: String

  func figures(of program: LockProgram, _ options: Options) throws -> Figures {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [
      "--seeds", "\(options.seeds)", "--cap", "\(options.cap)", "--silent", "\(options.silent)",
      "--figures", program.name,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(path: path, status: process.terminationStatus) }
    return try JSONDecoder().decode(Figures.self, from: output)
  }

  struct Failure: Error, CustomStringConvertible {
    let path: String
    let status: Int32

    var description: String {
      "\(path) ended with the status \(status): build it with the flag, from this source"
    }
  }
}
