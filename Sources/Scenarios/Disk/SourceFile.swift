import Foundation

/// Files on disk.
enum SourceFile {
  /// Whether something stands at `path` that is neither a file nor a folder.
  static func isSpecial(_ path: String) -> Bool {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return false }
    return info.st_mode & S_IFMT != S_IFREG && info.st_mode & S_IFMT != S_IFDIR
  }

  /// Whether a file or a folder stands at `path`.
  static func isThere(_ path: String) -> Bool {
    var info = stat()
    return unsafe stat(path, &info) == 0 && !isSpecial(path)
  }

  /// The bytes of the file at `path`; at most one more than `limit`, so that a reader sees that it is too
  /// large.
  static func bytes(of path: String, limit: Int = JSONLimits().bytes) throws(UnreadableFile) -> [UInt8] {
    guard !path.isEmpty else { throw .unnamed }
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      return [UInt8](try handle.read(upToCount: limit + 1) ?? Data())
    } catch {
      throw UnreadableFile(error, at: path)
    }
  }
}

/// The reason why a file cannot be read.
enum UnreadableFile: Error, Equatable, Sendable {
  case unnamed
  case missing(String)
  case directory(String)
  case notPermitted(String)
  case noPlainFile(String)
  case other(String, reason: String)

  init(_ error: any Error, at path: String) {
    let posix = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError)
    switch posix.code {
    case Int(ENOENT), Int(ENOTDIR), CocoaError.fileReadNoSuchFile.rawValue: self = .missing(path)
    case Int(EISDIR): self = .directory(path)
    case Int(EACCES), Int(EPERM), CocoaError.fileReadNoPermission.rawValue: self = .notPermitted(path)
    default: self = .other(path, reason: posix.localizedDescription)
    }
  }
}

extension UnreadableFile: CustomStringConvertible {
  var description: String {
    switch self {
    case .unnamed: "the name of a file is empty; name one"
    case .missing(let path): "\(Echo.plain(path)): no such file; name another, or go to where it stands"
    case .directory(let path): "\(Echo.plain(path)): is a directory; name the file in it"
    case .notPermitted(let path): "\(Echo.plain(path)): not permitted to read it"
    case .noPlainFile(let path): "\(Echo.plain(path)): is no plain file"
    case .other(let path, let reason): "\(Echo.plain(path)): cannot be read: \(Echo.plain(reason))"
    }
  }
}
