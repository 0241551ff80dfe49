internal import Foundation

/// What three executions in a child have shown, as it hands that over.
struct FirstLook {
  /// Of each; none where one takes very many steps at one instant, after which the others were spared.
  let digests: [UInt64]
  /// Whether tasks share what only steps that overlap can show, and these did not.
  let needOverlap: Bool
  /// How many bytes of memory the executions have left in use.
  let memory: UInt64

  init(_ digests: [UInt64], needOverlap: Bool, memory: UInt64) {
    (self.digests, self.needOverlap, self.memory) = (digests, needOverlap, memory)
  }

  init?(_ bytes: Data) {
    let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes.dropFirst(start).prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) }
    }
    guard numbers.count >= 2 else { return nil }
    self.init(Array(numbers.dropFirst(2)), needOverlap: numbers[0] == 1, memory: numbers[1])
  }

  var bytes: Data {
    Data(
      ([needOverlap ? 1 : 0, memory] + digests).flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      })
  }
}
