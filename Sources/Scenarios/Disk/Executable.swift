import Foundation
import Simulator

/// The program of this process.
enum Executable {
  /// Tells it from every other build; throws where it cannot be read.
  static func fingerprint() throws -> Fingerprint {
    let path =
      FileManager.default.fileExists(atPath: "/proc/self/exe") ? "/proc/self/exe" : CommandLine.arguments[0]
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    var fingerprint = Fingerprint()
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { fingerprint.add([UInt8](data)) }
    return fingerprint
  }
}
