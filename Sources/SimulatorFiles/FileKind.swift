import Foundation

/// The kind of something at a path that is neither a file nor a folder.
package enum FileKind: String, Sendable {
  case pipe = "a named pipe"
  case socket = "a socket"
  case device = "a device"
  /// A block device, such as a disk.
  case blocks = "a disk"

  /// Makes the kind; nil for a file or a folder.
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
