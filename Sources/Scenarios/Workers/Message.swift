internal import CProcesses
import Foundation

/// The format of the messages between parent and worker: the number of bytes in eight bytes, then JSON.
enum Message {
  /// Sends `value`; false when the other process has closed its end.
  static func send(_ value: some Encodable, to socket: Int32) throws -> Bool {
    send(framed: try framed(value), to: socket)
  }

  static func send(framed bytes: Data, to socket: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_write_all(socket, base, buffer.count)
    }
  }

  static func framed(_ value: some Encodable) throws -> Data {
    let body = try JSONEncoder().encode(value)
    return Data((0..<8).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }) + body
  }

  /// Waits for a value; nil when the other process has closed its end.
  static func receive<Value: Decodable>(_ type: Value.Type, from socket: Int32) throws -> Value? {
    var head = [UInt8](repeating: 0, count: 8)
    guard unsafe cp_read_all(socket, &head, 8) else { return nil }
    let length = length(head)
    guard length < limit else { return nil }
    var bytes = Data(count: Int(length))
    let isWhole = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return length == 0 }
      return unsafe cp_read_all(socket, base, buffer.count)
    }
    return isWhole ? try JSONDecoder().decode(type, from: bytes) : nil
  }

  private static func length(_ head: some Sequence<UInt8>) -> UInt64 {
    head.enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) }
  }

  /// The longest: 4 GiB.
  static let limit: UInt64 = 4 << 30

  /// The JSON of the first message in `bytes`, taken out of it; nil as long as it is not there whole. Throws where the bytes
  /// are no message.
  static func take(from bytes: inout Data) throws -> Data? {
    guard bytes.count >= 8 else { return nil }
    let length = length(bytes.prefix(8))
    guard length < limit else { throw NoMessage() }
    guard bytes.count - 8 >= Int(length) else { return nil }
    let body = Data(bytes.dropFirst(8).prefix(Int(length)))
    bytes = Data(bytes.dropFirst(8 + Int(length)))
    return body
  }
}

/// Bytes that are no message: other code has written to the connection.
struct NoMessage: Error {}
