import Foundation

/// A lock on a folder that processes take which replace the same file in it, each with what it has read from it.
package enum FolderLock {
  /// Runs `body` while no other process runs one for a file in the same folder. Where the folder cannot be opened, it just
  /// runs it, and the error is that of the write.
  package static func held<Result>(besides path: String, _ body: () throws -> Result) rethrows -> Result {
    let descriptor = unsafe open(FileLink.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }
}
