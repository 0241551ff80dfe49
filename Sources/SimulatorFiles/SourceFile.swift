import Foundation

/// Files on disk that are read.
package enum SourceFile {
  /// Returns true if a file or a folder is at `path`.
  package static func isThere(_ path: String) -> Bool {
    var info = stat()
    return unsafe stat(path, &info) == 0 && FileKind(info) == nil
  }

  /// Returns the bytes of the file at `path`, but at most one more than `limit`, so that the caller sees that the file
  /// is too large. A file that is already open, such as `/dev/stdin`, is read to its end. A pipe or a device might
  /// never end, and is refused.
  package static func bytes(of path: String, limit: Int) throws(UnreadableFile) -> [UInt8] {
    guard !path.isEmpty else { throw .unnamed }
    guard !path.utf8.contains(0) else { throw .missing(path) }
    switch FileLink.followed(path) {
    case .descriptor(let descriptor):
      guard OpenFile.isOpen(descriptor, for: O_RDONLY) else { throw .notOpen(path) }
      return try OpenFile.read(descriptor, limit: limit, for: path)
    case .path(let place):
      var info = stat()
      if unsafe stat(place, &info) == 0, let kind = FileKind(info) { throw .noPlainFile(path, kind) }
      let descriptor = unsafe open(place, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      guard descriptor >= 0 else { throw UnreadableFile(errno: errno, at: path) }
      defer { close(descriptor) }
      return try OpenFile.read(descriptor, limit: limit, for: path)
    }
  }
}

/// The reason that a file cannot be read.
package enum UnreadableFile: Error, Equatable, Sendable {
  case unnamed
  case missing(String)
  case directory(String)
  case notPermitted(String)
  case noPlainFile(String, FileKind)
  /// The path names an open file of this process, but there is none.
  case notOpen(String)
  case other(String, reason: String)

  init(errno code: Int32, at path: String) {
    self =
      switch code {
      case ENOENT, ENOTDIR: .missing(path)
      case EISDIR: .directory(path)
      case EACCES, EPERM: .notPermitted(path)
      default: .other(path, reason: WriteFault.words(of: code))
      }
  }
}

extension UnreadableFile: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unnamed: "the name of a file is empty; name one"
    case .missing(let path): "\(path.shown): no such file; name another, or go to where it is"
    case .directory(let path): "\(path.shown): is a directory; name the file in it"
    case .notPermitted(let path): "\(path.shown): not permitted to read it"
    case .noPlainFile(let path, .pipe):
      "\(path.shown): is a named pipe, to which nothing may ever write; name a file, or redirect it: /dev/stdin < …"
    case .noPlainFile(let path, let kind):
      "\(path.shown): is \(kind.rawValue), which may never end; name a file"
    case .notOpen(let path): "\(path.shown): is not open for reading; redirect a file to it, or name one"
    case .other(let path, let reason): "\(path.shown): cannot be read: \(reason)"
    }
  }
}
