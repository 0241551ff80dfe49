import Foundation

/// Operations on open files.
enum OpenFile {
  /// Writes all bytes. `path` is the name that the caller gave the file.
  static func write(_ bytes: [UInt8], to descriptor: Int32, for path: String) throws(WriteFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Foundation.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        // Another process has made its end of the same open file nonblocking.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&wait, 1, 1_000)
      } else if count == 0 || errno != EINTR {
        throw WriteFault(errno: count == 0 ? EIO : errno, at: path)
      }
    }
  }

  /// Reads to the end, but at most one byte more than `limit`. It stops after a zero byte, which no text contains.
  static func read(_ descriptor: Int32, limit: Int, for path: String) throws(UnreadableFile) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let most = min(buffer.count, limit + 1 - bytes.count)
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Foundation.read(descriptor, $0.baseAddress, most)
      }
      if count > 0 {
        bytes += buffer.prefix(count)
        if buffer.prefix(count).contains(0) { break }
      } else if count == 0 {
        break
      } else if errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&wait, 1, 1_000)
      } else if errno != EINTR {
        throw UnreadableFile(errno: errno, at: path)
      }
    }
    return bytes
  }

  /// Returns true if `descriptor` is open for reading, or for writing.
  static func isOpen(_ descriptor: Int32, for access: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && [access, O_RDWR].contains(flags & O_ACCMODE)
  }
}
