import Foundation

/// What is at a path and is neither a file nor a folder.
package enum FileKind: String, Sendable {
  case pipe = "a named pipe"
  case socket = "a socket"
  case device = "a device"
  /// As a disk has.
  case blocks = "a disk"

  /// Nil for a file or a folder.
  init?(_ info: stat) {
    switch info.st_mode & S_IFMT {
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    case S_IFBLK: self = .blocks
    case S_IFREG, S_IFDIR: return nil
    default: self = .device
    }
  }
}
