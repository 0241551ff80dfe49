import Foundation

/// Open files.
enum OpenFile {
  /// Writes all bytes; `path` is how the file was named.
  static func write(_ bytes: [UInt8], to descriptor: Int32, for path: String) throws(WriteFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Foundation.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        throw WriteFault(errno: count == 0 ? EIO : errno, at: path)
      }
    }
  }
}
