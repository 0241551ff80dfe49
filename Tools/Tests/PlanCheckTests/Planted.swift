import Foundation
import Testing

@testable import PlanCheck

/// A package in a temporary folder, compiled as a debug build compiles it.
struct Planted: ~Copyable {
  let folder: URL

  /// - Parameter files: Swift by the path below the folder of the target, `House`.
  init(_ files: [String: String], isCompiled: Bool = true) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "planted-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    for (path, text) in files { try write(text, to: path) }
    if isCompiled { try compile() }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ path: String) -> URL { folder.appending(path: "Sources/House/\(path)") }

  func write(_ text: String, to path: String) throws {
    let file = file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func compile() throws {
    let objects = folder.appending(path: "objects")
    try FileManager.default.createDirectory(at: objects, withIntermediateDirectories: true)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.currentDirectoryURL = objects
    compiler.arguments =
      ["swiftc", "-c", "-module-name", "House", "-index-store-path", "../index"]
      + (try Sources(package: folder.path).paths.map { folder.appending(path: "Sources/\($0)").path })
    try compiler.run()
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0)
  }

  /// What the layer check says where `Low` stands above `Middle`, and that above `High`.
  func findings(plan: String = Self.plan) throws -> [String] {
    let check = try LayerCheck(
      plan: Plan(in: plan), sources: Sources(package: folder.path),
      index: folder.appending(path: "index").path,
      library: Toolchain.indexLibrary())
    return try check.outcome().findings.map(\.message)
  }

  static let plan = """
    ```
    Sources/
      House/       a target
        Low/       what everything stands on
        Middle/    uses Low
        High/      uses both
    Tests/
    ```
    """
}
