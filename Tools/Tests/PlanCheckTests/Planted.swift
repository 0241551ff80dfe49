import Foundation
import Testing

@testable import PlanCheck

/// A package in a temporary folder.
struct Planted: ~Copyable {
  let folder: URL

  /// - Parameter files: Swift by the path below the folder of the target, `House`.
  init(_ files: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "planted-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    for (path, text) in files { try write(text, to: path) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ path: String) -> URL { folder.appending(path: "Sources/House/\(path)") }

  func write(_ text: String, to path: String) throws {
    let file = file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
