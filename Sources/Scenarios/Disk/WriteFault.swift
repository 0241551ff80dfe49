import Foundation

/// The reason why a file cannot be written.
enum WriteFault: Error, Equatable, Sendable {
  case unnamed
  case noFolder(String)
  case directory(String)
  case notPermitted(String)
  case notReadable(String)
  case readOnlyDisk(String)
  case full(String)
  case tooLarge(String)
  case changedMeanwhile(String)
  case noPlainFile(String)
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
      default:
        .other(
          path,
          reason: POSIXError.Code(rawValue: code).map { POSIXError($0).localizedDescription }
            ?? "error \(code)")
      }
  }
}

extension WriteFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .unnamed: "the name of a file to write is empty; name one"
    case .noFolder(let path): "cannot write \(Echo.plain(path)): its folder does not exist; make it first"
    case .directory(let path): "cannot write \(Echo.plain(path)): it is a directory; name a file in it"
    case .notPermitted(let path): "cannot write \(Echo.plain(path)): not permitted; name another file"
    case .notReadable(let path):
      "cannot add to \(Echo.plain(path)): not permitted to read it; name another file"
    case .readOnlyDisk(let path): "cannot write \(Echo.plain(path)): the disk is read-only; name another file"
    case .full(let path): "cannot write \(Echo.plain(path)): the disk is full; make room and run again"
    case .tooLarge(let path):
      "cannot write \(Echo.plain(path)): it would be larger than this process may write; raise the limit"
    case .changedMeanwhile(let path):
      "\(Echo.plain(path)) has changed since it was read, so nothing was written to it; run again"
    case .noPlainFile(let path): "cannot write \(Echo.plain(path)): it is no plain file"
    case .severalLinks(let path, let count):
      "cannot write \(Echo.plain(path)): it has \(count) hard links, and the others would keep the old text; "
        + "name a copy of it"
    case .mounted(let path):
      "cannot write \(Echo.plain(path)): it is mounted as a single file, which nothing can replace; mount its folder"
    case .otherOwner(let path):
      "cannot write \(Echo.plain(path)): it belongs to another user, who would lose it; run as that user"
    case .other(let path, let reason): "cannot write \(Echo.plain(path)): \(Echo.plain(reason))"
    }
  }
}
