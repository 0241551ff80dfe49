internal import CProcesses
internal import Foundation

/// Values that two processes of one program send to each other.
enum ProcessMessage {
  /// Sends the number of bytes as four bytes, then the value as JSON. Returns false if that fails.
  static func send(_ value: some Encodable, to socket: Int32) -> Bool {
    guard let body = try? JSONEncoder().encode(value) else { return false }
    let message = Data((0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }) + body
    return unsafe message.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_write_all(socket, base, buffer.count)
    }
  }

  /// Waits for the next value; nil at the end of the connection.
  static func receive<Value: Decodable>(from socket: Int32) -> Value? {
    var head = [UInt8](repeating: 0, count: 4)
    guard unsafe cp_read_all(socket, &head, 4) else { return nil }
    let length = head.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    var body = [UInt8](repeating: 0, count: length)
    guard length > 0, unsafe cp_read_all(socket, &body, length) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: Data(body))
  }
}
