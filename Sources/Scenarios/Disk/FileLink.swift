import Foundation

/// Symbolic links.
enum FileLink {
  /// What `path` leads to, whether or not that exists; the path itself where it is no link. A path that goes
  /// round in circles comes back as one of them.
  static func followed(_ path: String) -> String {
    var path = path
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
      let folder = (path as NSString).deletingLastPathComponent
      path = next.hasPrefix("/") || folder.isEmpty ? next : folder + "/" + next
    }
    return path
  }

  /// The one name of the file at `path`, whatever links lead to it.
  static func identity(of path: String) -> String {
    URL(fileURLWithPath: followed(path)).resolvingSymlinksInPath().path
  }
}
