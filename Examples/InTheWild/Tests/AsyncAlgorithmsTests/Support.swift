import Foundation
import SimulatorTesting

extension Simulation.Options {
  /// A step may be left in its middle, and what is alive at the end is a violation.
  static let overlapping = Simulation.Options(steps: .preemptible, forbidsOutlivingTasks: true)
}

/// How many schedules a test tries. More: `SCHEDULES=20000 swift test`.
let schedules = ProcessInfo.processInfo.environment["SCHEDULES"].flatMap { Int($0) } ?? 500

/// A stream that yields each element when it is due, and finishes.
func stream<Element: Sendable>(_ elements: (after: Duration, Element)...) -> AsyncStream<Element> {
  let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
  let producer = Task {
    for (pause, element) in elements {
      try await Task.sleep(for: pause)
      continuation.yield(element)
    }
    continuation.finish()
  }
  continuation.onTermination = { _ in producer.cancel() }
  return stream
}

/// A stream that yields three elements, and does not finish while anyone asks for more.
func endless() -> AsyncStream<Int> {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  Task {
    for number in 0..<3 {
      continuation.yield(number)
      try await Task.sleep(for: .milliseconds(200))
    }
  }
  return stream
}

/// What comes of a sequence, in its order.
func all<Elements: AsyncSequence & Sendable>(_ elements: Elements) async throws -> [Int]
where Elements.Element == Int {
  var seen: [Int] = []
  for try await number in elements { seen.append(number) }
  return seen
}
