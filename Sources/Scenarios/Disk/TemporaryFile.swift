import Foundation
internal import Synchronization

/// A file beside another that is to take its place.
///
/// It is locked as long as its maker lives. One that is not is a leftover of a process that was killed; the
/// next one in that folder removes it.
struct TemporaryFile {
  let descriptor: Int32
  private let place: String
  /// How the file that it is for was named.
  private let path: String

  private static let prefix = ".simrun-"
  private static let suffix = ".tmp"
  /// A name is never used twice: another process may still be removing the file that had it before.
  private static let count = Atomic<Int>(0)

  /// Makes one in the folder of `target`.
  init(besides target: String, for path: String) throws(WriteFault) {
    let parent = (target as NSString).deletingLastPathComponent
    let folder = parent.isEmpty ? "." : parent
    self.path = path
    Self.removeLeftovers(in: folder)
    for _ in 0..<100 {
      let number = Self.count.add(1, ordering: .relaxed).newValue
      let place = "\(folder)/\(Self.prefix)\(getpid())-\(number)\(Self.suffix)"
      let descriptor = unsafe open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 {
        guard errno == EEXIST else { throw WriteFault(errno: errno, at: path) }
        continue
      }
      if Self.isLocked(descriptor) {
        (self.descriptor, self.place) = (descriptor, place)
        return
      }
      close(descriptor)
    }
    throw WriteFault(errno: EEXIST, at: path)
  }

  /// Puts it where `target` is, for good.
  func takePlace(of target: String) throws(WriteFault) {
    guard unsafe rename(place, target) == 0 else { throw WriteFault(errno: errno, at: path) }
    close(descriptor)
    let parent = (target as NSString).deletingLastPathComponent
    let folder = unsafe open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Removes it.
  func discard() {
    unsafe unlink(place)
    close(descriptor)
  }

  /// Takes the lock, unless another process that removes leftovers came first and has removed the file.
  private static func isLocked(_ descriptor: Int32) -> Bool {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    var info = stat()
    return unsafe fstat(descriptor, &info) == 0 && info.st_nlink > 0
  }

  private static func removeLeftovers(in folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      let place = "\(folder)/\(name)"
      let descriptor = unsafe open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlink(place) }
      close(descriptor)
    }
  }
}
