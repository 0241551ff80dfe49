import Foundation

/// The files below a package's `Sources`.
public struct Sources {
  public let root: String
  /// Paths below `Sources`, sorted.
  let paths: [String]

  public init(package: String) throws(Refusal) {
    let root = URL(filePath: package).resolvingSymlinksInPath().path
    guard let found = FileManager.default.enumerator(atPath: "\(root)/Sources") else {
      throw Refusal("\(root)/Sources is not a folder")
    }
    self.root = root
    paths = found.compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }.sorted()
  }

  func absolute(_ path: String) -> String { "\(root)/Sources/\(path)" }

  func text(_ path: String) throws(Refusal) -> String {
    do {
      return try String(contentsOfFile: absolute(path), encoding: .utf8)
    } catch {
      throw Refusal("\(absolute(path)) cannot be read: \(error)")
    }
  }
}
