import Foundation
import Simulator

/// The reason that a file cannot be written.
package enum WriteFault: Error, Equatable, Sendable {
  case unnamed
  case noFolder(String)
  /// The name ends like that of a folder.
  case namesFolder(String)
  case directory(String)
  case notPermitted(String)
  case notReadable(String)
  case readOnlyDisk(String)
  case full(String)
  case tooLarge(String)
  case changedMeanwhile(String)
  case noPlainFile(String)
  /// The file at the path would block forever, or cannot hold text.
  case special(String, FileKind)
  /// The path names an open file of this process, but there is none.
  case notOpen(String)
  case severalLinks(String, Int)
  case mounted(String)
  case otherOwner(String)
  case other(String, reason: String)

  init(errno code: Int32, at path: String) {
    self =
      switch code {
      case ENOENT, ENOTDIR: .noFolder(path)
      case EISDIR: .directory(path)
      case EACCES, EPERM: .notPermitted(path)
      case EROFS: .readOnlyDisk(path)
      case ENOSPC, EDQUOT: .full(path)
      case EFBIG: .tooLarge(path)
      default: .other(path, reason: Self.words(of: code))
      }
  }

  static func words(of code: Int32) -> String {
    unsafe String(cString: strerror(code))
  }
}

extension String {
  /// The path in a form that is fit for display.
  var shown: String { count > 240 ? prefix(240).visible + "…" : visible }
}

extension WriteFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unnamed: "the name of a file to write is empty; name one"
    case .noFolder(let path): "cannot write \(path.shown): its folder does not exist; make it first"
    case .namesFolder(let path):
      "cannot write \(path.shown): its name ends with a slash, as a folder's; name a file"
    case .directory(let path): "cannot write \(path.shown): it is a directory; name a file in it"
    case .notPermitted(let path): "cannot write \(path.shown): not permitted; name another file"
    case .notReadable(let path):
      "cannot add to \(path.shown): not permitted to read it; name another file"
    case .readOnlyDisk(let path): "cannot write \(path.shown): the disk is read-only; name another file"
    case .full(let path): "cannot write \(path.shown): the disk is full; make room and run again"
    case .tooLarge(let path):
      "cannot write \(path.shown): it would be larger than this process may write; raise the limit"
    case .changedMeanwhile(let path):
      "\(path.shown) has changed since it was read, so nothing was written to it; run again"
    case .noPlainFile(let path): "cannot write \(path.shown): it is no plain file"
    case .special(let path, .pipe):
      "cannot write \(path.shown): it is a named pipe, which blocks until something reads it; name a file, or write to "
        + "/dev/stdout and redirect that"
    case .special(let path, let kind): "cannot write \(path.shown): it is \(kind.rawValue); name a file"
    case .notOpen(let path):
      "cannot write \(path.shown): it is not open for writing; redirect it to a file, or name one"
    case .severalLinks(let path, let count):
      "cannot write \(path.shown): it has \(count) hard links, and the others would keep the old text; "
        + "name a copy of it"
    case .mounted(let path):
      "cannot write \(path.shown): it is mounted as a single file, which nothing can replace; mount its folder"
    case .otherOwner(let path):
      "cannot write \(path.shown): it belongs to another user, who would lose it; run as that user"
    case .other(let path, let reason): "cannot write \(path.shown): \(reason)"
    }
  }
}
