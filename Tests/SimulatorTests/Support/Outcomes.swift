import Simulator
import Synchronization
import Testing

/// What code appended, in order; may be appended to from anywhere, without a scheduling point.
final class Log<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  func append(_ element: Element) { elements.withLock { $0.append(element) } }

  var all: [Element] { elements.withLock { $0 } }
}

/// Every result that `body` has under the natural order and `schedules` random ones, of whole steps.
///
/// A violation is recorded as an issue: outcomes are asked of programs that hold.
func outcomes<Result: Hashable & Sendable>(
  schedules: Int = 300, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable (Simulation) async throws -> Result
) -> Set<Result> {
  let seen = Mutex<Set<Result>>([])
  let report = exhaust(schedules: schedules, options: Simulation.Options(steps: .atomic)) { simulation in
    let result = try await body(simulation)
    seen.withLock { _ = $0.insert(result) }
  }
  #expect(report.violations.map(\.message) == [], sourceLocation: sourceLocation)
  return seen.withLock { $0 }
}

/// Explores without stopping at a violation.
func exhaust(
  schedules: Int = 300, options: Simulation.Options = Simulation.Options(),
  _ body: @escaping @Sendable (Simulation) async throws -> Void
) -> Explorer.Report {
  var explorer = Explorer(name: "test", options: options, body: body)
  explorer.budget.schedules = schedules
  explorer.budget.violationsToFind = nil
  return explorer.explore()
}

/// Every order of `elements`.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
  guard !elements.isEmpty else { return [[]] }
  return elements.indices.flatMap { index in
    var rest = elements
    let first = rest.remove(at: index)
    return permutations(rest).map { [first] + $0 }
  }
}

/// Adds up without protection of its own; `nonisolated` so that its caller's isolation counts.
actor Counter {
  private(set) var value = 0
  func set(_ value: Int) { self.value = value }
  func increment() { value += 1 }

  /// Reads, calls another method of the same actor, writes.
  func incrementThroughSelf() async {
    let before = value
    await pause()
    value = before + 1
  }
  private func pause() async {}
}

actor Recorder {
  private(set) var all: [Int] = []
  func append(_ element: Int) { all.append(element) }
}
