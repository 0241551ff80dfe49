internal import CProcesses
import Foundation
import Simulator

/// The program of this process, and how it was started.
enum Executable {
  /// The arguments of this process, the name of the program first.
  static let arguments: [String] = {
    guard let given = unsafe cp_arguments() else { return CommandLine.arguments }
    var texts: [String] = []
    while let text = unsafe given[texts.count] { texts.append(unsafe String(cString: text)) }
    return texts
  }()

  /// The same, to start it again.
  static var unsafeArguments: UnsafePointer<UnsafeMutablePointer<CChar>?> {
    unsafe cp_arguments() ?? UnsafePointer(CommandLine.unsafeArgv)
  }

  /// Tells it from every other build; throws where it cannot be read.
  static func fingerprint() throws -> Fingerprint {
    let path = unsafe String(cString: cp_executable())
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    var fingerprint = Fingerprint()
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { fingerprint.add([UInt8](data)) }
    return fingerprint
  }
}
