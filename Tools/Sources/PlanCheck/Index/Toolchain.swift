import Foundation

/// The Swift toolchain that the search path leads to.
public enum Toolchain {
  /// The library that reads the compiler's index.
  public static func indexLibrary() throws(Refusal) -> String {
    struct Target: Decodable {
      let paths: Paths
      struct Paths: Decodable { let runtimeResourcePath: String }
    }
    let output = try run("swiftc", "-print-target-info")
    guard let target = try? JSONDecoder().decode(Target.self, from: output) else {
      throw Refusal("swiftc -print-target-info did not print what it should")
    }
    // The toolchain's lib/swift; the library lies beside it.
    let folder = URL(filePath: target.paths.runtimeResourcePath).deletingLastPathComponent()
    #if os(macOS)
      return folder.appending(path: "libIndexStore.dylib").path
    #else
      return folder.appending(path: "libIndexStore.so").path
    #endif
  }

  /// What a command of the search path prints.
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
