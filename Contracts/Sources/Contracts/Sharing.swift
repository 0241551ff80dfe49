import Synchronization

/// A flag that several tasks see.
final class Flag: Sendable {
  private let flag: Mutex<Bool>

  init(_ value: Bool) { flag = Mutex(value) }

  var value: Bool { flag.withLock(\.self) }
  func set(_ value: Bool) { flag.withLock { $0 = value } }
}

/// Numbers in the order in which they came.
final class Order: Sendable {
  private let numbers = Mutex<[Int]>([])

  var all: String { numbers.withLock { $0.map(String.init) }.joined(separator: " ") }
  func append(_ number: Int) { numbers.withLock { $0.append(number) } }
}

extension Sequence {
  func mapInTurn<Mapped>(_ transform: (Element) async throws -> Mapped) async rethrows -> [Mapped] {
    var mapped: [Mapped] = []
    for element in self { mapped.append(try await transform(element)) }
    return mapped
  }
}
