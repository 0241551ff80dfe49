import Foundation

/// Links and mounts: other ways to a file than its own name.
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

  /// Whether the file at `path` has a mount of its own, as a single file has that a container is given.
  static func isMounted(_ path: String) -> Bool {
    guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else {
      return false
    }
    // What would end a field is written as an octal number.
    let name = identity(of: path).replacing("\\", with: "\\134").replacing(" ", with: "\\040")
      .replacing("\t", with: "\\011").replacing("\n", with: "\\012")
    return mounts.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ", maxSplits: 5)
      return fields.count > 4 && fields[4] == name
    }
  }

  /// The one name of the file at `path`, whatever links lead to it.
  static func identity(of path: String) -> String {
    URL(fileURLWithPath: followed(path)).resolvingSymlinksInPath().path
  }
}
