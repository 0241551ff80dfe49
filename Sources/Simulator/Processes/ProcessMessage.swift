internal import CProcesses
package import Foundation

/// Values that two processes of one program send to each other: the number of bytes in eight bytes, then the value as JSON.
package enum ProcessMessage {
  /// The bytes are no message: other code has written to the connection.
  package struct Garbled: Error {}

  /// The longest message: 4 GiB.
  package static let limit: UInt64 = 4 << 30
  private static let headSize = 8

  /// Sends a value. Returns false if it cannot be encoded, or if the other process has closed its end.
  package static func send(_ value: some Encodable, to socket: Int32) -> Bool {
    guard let body = try? JSONEncoder().encode(value) else { return false }
    return send(body: body, to: socket)
  }

  /// Waits for the next value; nil if the other process has closed its end, or sends something else.
  package static func receive<Value: Decodable>(from socket: Int32) -> Value? {
    receiveBody(from: socket).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
  }

  /// Sends bytes that the receiver can read.
  package static func send(body: Data, to socket: Int32) -> Bool {
    let message = framed(body)
    return unsafe message.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_write_all(socket, base, buffer.count)
    }
  }

  package static func receiveBody(from socket: Int32) -> Data? {
    var head = Data(count: headSize)
    guard fill(&head, from: socket) else { return nil }
    let size = size(head)
    guard size < limit else { return nil }
    var body = Data(count: Int(size))
    return body.isEmpty || fill(&body, from: socket) ? body : nil
  }

  package static func framed(_ body: Data) -> Data {
    Data((0..<headSize).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }) + body
  }

  /// Removes the first message from `bytes` and returns its body; nil if it is not complete yet. Throws ``Garbled`` if the
  /// bytes are no message.
  package static func take(from bytes: inout Data) throws(Garbled) -> Data? {
    guard bytes.count >= headSize else { return nil }
    let size = size(bytes.prefix(headSize))
    guard size < limit else { throw Garbled() }
    guard bytes.count - headSize >= Int(size) else { return nil }
    let body = Data(bytes.dropFirst(headSize).prefix(Int(size)))
    bytes = Data(bytes.dropFirst(headSize + Int(size)))
    return body
  }

  private static func size(_ head: Data) -> UInt64 {
    head.enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) }
  }

  private static func fill(_ data: inout Data, from socket: Int32) -> Bool {
    unsafe data.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_read_all(socket, base, buffer.count)
    }
  }
}
