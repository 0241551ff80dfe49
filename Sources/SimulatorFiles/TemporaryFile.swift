import Foundation
internal import Synchronization

/// A file that is to take the place of another in the same folder.
///
/// If the system supports it, the file has no name until it is complete, so nothing of it remains, however the process ends.
/// It gets a name just before it takes its place, and signals wait meanwhile. On other systems it has a name from the
/// start, and signals wait from the start. It is locked as long as its maker lives. A named one that is not locked is a
/// leftover of a killed process, and the next one in that folder removes it.
struct TemporaryFile {
  let descriptor: Int32
  private let folder: String
  /// Its path; nil as long as it has no name.
  private var place: String?
  /// The name that the caller gave the file that it is for.
  private let path: String
  private let signals: HeldSignals?

  private static let prefix = ".simrun-"
  private static let suffix = ".tmp"
  /// The number of names so far. A name is never reused, because another process may still be removing the file that
  /// had it.
  private static let count = Atomic<Int>(0)

  /// Makes a file in the folder of `target`.
  init(besides target: String, for path: String) throws(WriteFault) {
    folder = FileLink.folder(of: target)
    self.path = path
    Self.removeLeftovers(in: folder)
    if let nameless = Self.nameless(in: folder) {
      (descriptor, place, signals) = (nameless, nil, nil)
      return
    }
    signals = HeldSignals()
    do throws(WriteFault) {
      let (descriptor, place) = try Self.named(in: folder, for: path)
      (self.descriptor, self.place) = (descriptor, place)
    } catch {
      signals?.release()
      throw error
    }
  }

  /// Makes the file take the place of `target` permanently. `isNew` is true if `target` did not exist.
  mutating func takePlace(of target: String, isNew: Bool) throws(WriteFault) {
    let held = HeldSignals()
    defer { held.release() }
    if place == nil, isNew, link(as: target) == 0 { return finish() }
    let name = place ?? Self.newName(in: folder)
    guard place != nil || link(as: name) == 0 else { throw WriteFault(errno: errno, at: path) }
    guard unsafe rename(name, target) == 0 else {
      let fault = WriteFault(errno: errno, at: path)
      unsafe unlink(name)
      place = nil
      throw fault
    }
    finish()
  }

  /// Removes the file. Do not call this after it has taken its place.
  func discard() {
    if let place { unsafe unlink(place) }
    close(descriptor)
    signals?.release()
  }

  private func finish() {
    close(descriptor)
    signals?.release()
    let folder = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private func link(as name: String) -> Int32 {
    unsafe linkat(AT_FDCWD, Self.ownName(of: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW)
  }

  private static func ownName(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  private static func newName(in folder: String) -> String {
    "\(folder)/\(prefix)\(getpid())-\(count.add(1, ordering: .relaxed).newValue)\(suffix)"
  }

  /// Returns a locked file without a name; nil if the system or the disk does not support one, or if it could not be
  /// named later.
  private static func nameless(in folder: String) -> Int32? {
    // `O_TMPFILE` is not imported. Its value is a combination of two others.
    let descriptor = unsafe open(folder, 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return nil }
    if unsafe access(ownName(of: descriptor), F_OK) == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  private static func named(
    in folder: String, for path: String
  ) throws(WriteFault) -> (descriptor: Int32, place: String) {
    for _ in 0..<100 {
      let place = newName(in: folder)
      let descriptor = unsafe open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 {
        guard errno == EEXIST else { throw WriteFault(errno: errno, at: path) }
        continue
      }
      if isLocked(descriptor) { return (descriptor, place) }
      close(descriptor)
    }
    throw WriteFault(errno: EEXIST, at: path)
  }

  /// Takes the lock. Returns false if another process that removes leftovers was faster and has removed the file.
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

/// Holds back the signals that would end the process, on the calling thread.
struct HeldSignals {
  private let before: sigset_t

  init() {
    var ending = sigset_t()
    unsafe sigemptyset(&ending)
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP] { unsafe sigaddset(&ending, signal) }
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &ending, &before)
    self.before = before
  }

  /// Delivers the signals that have arrived.
  func release() {
    var before = before
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
