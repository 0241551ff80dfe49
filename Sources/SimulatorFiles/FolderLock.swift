import Foundation

/// A lock on a folder. Processes take it when they replace the same file in the folder, based on what they read from
/// it.
package enum FolderLock {
  /// Runs `body` while no other process runs one for a file in the same folder. If the folder cannot be opened, it runs
  /// `body` without a lock, and the write reports the error.
  package static func held<Result>(besides path: String, _ body: () throws -> Result) rethrows -> Result {
    let descriptor = unsafe open(FileLink.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }
}
