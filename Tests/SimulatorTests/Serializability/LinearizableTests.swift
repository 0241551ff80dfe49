import Testing

@testable import Simulator
@testable import SimulatorCore

/// Types that are judged by a sequential specification.
@Suite struct `Linearizability` {
  private struct Ledger: Hashable {
    var value = 0
    mutating func increment() -> Int {
      value += 1
      return value
    }
  }

  /// A counter that reads, suspends and writes, or does all at once.
  private actor Counter {
    private(set) var value = 0
    func increment() -> Int {
      value += 1
      return value
    }
    func incrementLate() async -> Int {
      let read = value
      await Task.yield()
      value = read + 1
      return read + 1
    }
  }

  @Test func `a lost update is found, and shrunk to two operations`() throws {
    let report = Linearizable(as: Ledger()) { Counter() }
      .offering("increment") {
        await $0.incrementLate()
      } model: {
        $0.increment()
      }
      .offering("value") {
        await $0.value
      } model: {
        $0.value
      }
      .explore()
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == "linearizable")
    #expect(
      violation.message
        == "increment: 1, increment: 1. No order of them that keeps which had returned before which began is one of "
        + "the specification's. After increment: 1, increment would come to 2")
  }

  @Test func `an actor that acts at once is linearizable`() {
    let report = Linearizable(as: Ledger()) { Counter() }
      .offering("increment") {
        await $0.increment()
      } model: {
        $0.increment()
      }
      .offering("value") {
        await $0.value
      } model: {
        $0.value
      }
      .upTo(operations: 6, tasks: 3)
      .explore(schedules: 300)
    #expect(report.holds)
    #expect(report.vacuousInvariants?.isEmpty == true)
  }

  /// Answers reads from what it has kept, which it renews only as it writes.
  private actor Cached {
    private var written = 0
    private var kept: Int?
    func read() -> Int {
      kept = kept ?? written
      return kept ?? 0
    }
    func write(_ value: Int) { written = value }
  }

  /// One after another it answers so too: what the type itself does is no measure.
  @Test func `a read that is stale by itself is found`() throws {
    let judged = Linearizable(as: 0) { Cached() }
      .offering("read") {
        await $0.read()
      } model: {
        $0
      }
      .offering("write", among: [1]) {
        await $0.write($1)
      } model: {
        $0 = $1
      }
      .upTo(operations: 3, tasks: 2)
    let message = try #require(judged.explore().violations.first).message
    #expect(message.contains("read: 0"))
    #expect(message.hasSuffix("read would come to 1"))
  }

  private static func history(_ calls: [(began: Int, ended: Int, answer: Int)]) -> History {
    History(
      calls: calls.enumerated().map { number, call in
        .init(operation: number, began: call.began, ended: call.ended, answer: Answer(call.answer))
      })
  }

  /// The operations count up and answer the count.
  private static func linearized(_ history: History) -> History.Finding {
    history.linearized(from: 0) { _, value in
      value += 1
      return Answer(value)
    }
  }

  @Test func `calls that overlap may take either order`() {
    #expect(Self.linearized(Self.history([(1, 3, 2), (2, 4, 1)])) == .order([1, 0]))
  }

  @Test func `a call that had returned before another began stands before it`() {
    #expect(
      Self.linearized(Self.history([(1, 2, 2), (3, 4, 1)])) == .none(longest: [], next: [0: "1"]))
  }

  @Test func `where all overlap, a set of calls is tried once for a state`() {
    var steps = 0
    let count = 16
    let history = Self.history((0..<count).map { ($0, 100 + $0, 99) })
    let found = history.linearized(from: 0) { operation, value in
      steps += 1
      value |= 1 << operation
      return Answer(value.nonzeroBitCount == count ? 0 : 99)
    }
    #expect(found != .order([]))
    // Without a memory it would be 16 factorial.
    #expect(steps <= count << count)
  }

  @Test func `what the specification throws leaves it as it was`() {
    struct No: Error {}
    let report = Linearizable(as: 0) { Counter() }
      .operation("none") { _ in
        throw No()
      } model: { model in
        model = 7
        throw No()
      }
      .operation("value") {
        await $0.value
      } model: {
        $0
      }
      .explore(schedules: 50)
    #expect(report.holds)
  }
}
