import Foundation

/// Links and mounts: ways to reach a file other than by its own name.
package enum FileLink {
  /// The end of a chain of symbolic links.
  enum End: Equatable {
    /// A path that is not a link, even if nothing is there; for circular links, one of them.
    case path(String)
    /// A file that this process already has open, such as `/dev/stdout`.
    case descriptor(Int32)
  }

  /// Returns the end of the links that begin at `path`.
  static func followed(_ path: String) -> End {
    var path = path
    for _ in 0..<40 {
      if let descriptor = descriptor(named: path) { return .descriptor(descriptor) }
      guard let next = destination(of: path) else { return .path(path) }
      path = next.hasPrefix("/") ? next : beside(path, next)
    }
    return .path(path)
  }

  /// Returns the folder of the file that `path` names, as `dirname` does.
  package static func folder(of path: String) -> String {
    let named = path.utf8.reversed().drop { $0 == slash }
    let rest = named.drop { $0 != slash }
    let folder = rest.drop { $0 == slash }
    if rest.isEmpty { return path.utf8.first == slash && named.isEmpty ? "/" : "." }
    return folder.isEmpty ? "/" : String(decoding: Array(folder.reversed()), as: UTF8.self)
  }

  /// Returns the path of the file called `name` in the folder of `path`.
  package static func beside(_ path: String, _ name: String) -> String {
    guard let last = path.utf8.lastIndex(of: slash) else { return name }
    return String(path[...last]) + name
  }

  /// Returns true if the file at `path` has its own mount, as when a container is given a single file.
  package static func isMounted(_ path: String) -> Bool {
    // The file is read piece by piece: the system gives it no size, and a string made from it would hold only its first
    // page.
    guard let bytes = try? FileHandle(forReadingAtPath: "/proc/self/mountinfo")?.readToEnd() else {
      return false
    }
    let mounts = String(decoding: bytes, as: UTF8.self)
    // The system writes characters that would end a field as octal numbers.
    let name = identity(of: path).replacing("\\", with: "\\134").replacing(" ", with: "\\040")
      .replacing("\t", with: "\\011").replacing("\n", with: "\\012")
    return mounts.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ", maxSplits: 5)
      return fields.count > 4 && fields[4] == name
    }
  }

  /// Returns the canonical name of the file at `path`, whatever links lead to it.
  package static func identity(of path: String) -> String {
    switch followed(path) {
    case .descriptor(let descriptor):
      return destination(of: "/proc/self/fd/\(descriptor)") ?? "descriptor \(descriptor)"
    case .path(let place):
      if let real = real(place) { return real }
      // The file does not exist yet.
      guard let folder = real(folder(of: place)) else { return place }
      let name = place.split(separator: "/").last.map(String.init) ?? ""
      return folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
  }

  private static let slash = UInt8(ascii: "/")

  /// Returns the number of this process's open file that `path` names. Well-known names need no `/proc`.
  private static func descriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdin": return STDIN_FILENO
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default: break
    }
    guard let last = path.utf8.lastIndex(of: slash) else { return nil }
    let digits = path[path.index(after: last)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int32(digits) else {
      return nil
    }
    let folder = String(path[..<last])
    if ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"].contains(folder) { return number }
    guard folder.hasSuffix("/fd"), let real = real(folder) else { return nil }
    let own = "/proc/\(getpid())/"
    return real == own + "fd" || real.hasPrefix(own + "task/") && real.hasSuffix("/fd") ? number : nil
  }

  /// Returns the destination of the link at `path`; nil if it is not a link.
  private static func destination(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    return count > 0
      ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  private static func real(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
