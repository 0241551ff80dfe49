import Foundation

/// A file that is replaced as a whole: if the process is killed at any moment, the file is the old one or the new one.
///
/// The text is written to a temporary file in the same folder and flushed to the disk. The temporary file then takes
/// the place, the owner and the permissions of the old file. A symbolic link stays a link to the replaced file. A file with
/// several hard links or its own mount is refused, because nothing else can take its place. A file that this process
/// has open, such as `/dev/stdout`, is written through its descriptor, and a device is written directly. A pipe, a
/// socket or a disk is refused.
package struct AtomicFile {
  /// The path as the caller gave it.
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Throws now what writing would throw later. The file stays unchanged.
  package func check() throws(WriteFault) {
    switch try target() {
    case .open(let descriptor):
      if !OpenFile.isOpen(descriptor, for: O_WRONLY) { throw .notOpen(path) }
    case .device(let place): try demand(unsafe access(place, W_OK))
    case .plain(let place, let old):
      if old != nil { try demand(unsafe access(place, W_OK)) }
      let temporary = try TemporaryFile(besides: place, for: path)
      defer { temporary.discard() }
      try old.map { info throws(WriteFault) in try keep(info, for: temporary) }
    }
  }

  /// Replaces the file, or makes it. If `expected` is given, the file must still contain exactly that.
  package func write(_ bytes: [UInt8], over expected: [UInt8]? = nil) throws(WriteFault) {
    switch try target() {
    case .open(let descriptor):
      guard expected == nil else { throw .noPlainFile(path) }
      if !OpenFile.isOpen(descriptor, for: O_WRONLY) { throw .notOpen(path) }
      try OpenFile.write(bytes, to: descriptor, for: path)
    case .device(let place):
      guard expected == nil else { throw .noPlainFile(path) }
      try writeStraight(bytes, to: place)
    case .plain(let place, let old):
      if old != nil { try demand(unsafe access(place, W_OK)) }
      var temporary = try TemporaryFile(besides: place, for: path)
      do throws(WriteFault) {
        if let old { try keep(old, for: temporary) }
        try OpenFile.write(bytes, to: temporary.descriptor, for: path)
        try demand(fsync(temporary.descriptor))
        if let expected, (try? SourceFile.bytes(of: place, limit: expected.count)) != expected {
          throw .changedMeanwhile(path)
        }
        try temporary.takePlace(of: place, isNew: old == nil)
      } catch {
        temporary.discard()
        throw error
      }
    }
  }

  /// Appends to the file on a new line, or makes the file. It is as atomic as ``write(_:over:)``.
  package func add(_ bytes: [UInt8]) throws(WriteFault) {
    guard case .plain(let place, .some) = try target() else { return try write(bytes) }
    let old: [UInt8]
    do throws(UnreadableFile) {
      old = try SourceFile.bytes(of: place, limit: Self.mostAddedTo)
    } catch {
      throw .notReadable(path)
    }
    if old.count > Self.mostAddedTo { throw .tooLarge(path) }
    let lineFeed = UInt8(ascii: "\n")
    let end: [UInt8] = old.last.map { $0 == lineFeed ? [] : [lineFeed] } ?? []
    try write(old + end + bytes, over: old)
  }

  /// The limit on the size of a file to append to, because appending reads the file first.
  private static let mostAddedTo = 1 << 30

  private enum Target {
    /// A plain file, with its information if it exists.
    case plain(String, stat?)
    case device(String)
    case open(Int32)
  }

  /// Gives `temporary` the owner and the permissions of the file that it is to replace.
  private func keep(_ old: stat, for temporary: TemporaryFile) throws(WriteFault) {
    var new = stat()
    try demand(unsafe fstat(temporary.descriptor, &new))
    if new.st_uid != old.st_uid || new.st_gid != old.st_gid {
      guard fchown(temporary.descriptor, old.st_uid, old.st_gid) == 0 else { throw .otherOwner(path) }
    }
    try demand(fchmod(temporary.descriptor, old.st_mode & 0o7777))
  }

  private func target() throws(WriteFault) -> Target {
    guard !path.isEmpty else { throw .unnamed }
    guard !path.utf8.contains(0) else { throw .noFolder(path) }
    let place: String
    switch FileLink.followed(path) {
    case .descriptor(let descriptor): return .open(descriptor)
    case .path(let end): place = end
    }
    var info = stat()
    guard unsafe stat(place, &info) == 0 else {
      guard errno == ENOENT else { throw WriteFault(errno: errno, at: path) }
      if place.hasSuffix("/") { throw .namesFolder(path) }
      return .plain(place, nil)
    }
    switch info.st_mode & S_IFMT {
    case S_IFREG:
      if info.st_nlink > 1 { throw .severalLinks(path, Int(info.st_nlink)) }
      if FileLink.isMounted(place) { throw .mounted(path) }
      return .plain(place, info)
    case S_IFDIR: throw .directory(path)
    default:
      if let kind = FileKind(info), kind != .device { throw .special(path, kind) }
      return .device(place)
    }
  }

  private func writeStraight(_ bytes: [UInt8], to place: String) throws(WriteFault) {
    // The device may lead to a file that another process has open, and that file must not lose its beginning.
    let descriptor = unsafe open(place, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC)
    try demand(descriptor)
    defer { close(descriptor) }
    try OpenFile.write(bytes, to: descriptor, for: path)
  }

  private func demand(_ result: Int32) throws(WriteFault) {
    if result < 0 { throw WriteFault(errno: errno, at: path) }
  }
}
