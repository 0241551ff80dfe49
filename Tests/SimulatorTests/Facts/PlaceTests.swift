import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// What a place is, a trace knows from the types of the program, never from their names.
@Suite struct `What a place is` {
  private actor FakeAccount {
    private(set) var balance = 100
    func set(_ balance: Int) { self.balance = balance }
  }

  /// Stands for the outside world, and is named as if it did not.
  private actor Weather: SimulatedFake {
    func forecast() -> String { "rain" }
  }

  @Test func `a trace tells the pool, the main actor, actors, fakes and executors apart`() {
    let execution = simulate { _ in
      await FakeAccount().set(1)
      _ = await Weather().forecast()
      _ = try await FakeNetwork().exchange("GET", .none) { _ in 1 }
      await Task { @MainActor in }.value
    }
    let kinds = execution.trace.domains.map { "\($0.type) \($0.kind)" }
    #expect(
      kinds == ["pool pool", "MainActor mainActor", "FakeAccount actor", "Weather fake", "FakeNetwork fake"])
  }

  @MainActor private final class Screen {
    private(set) var shown = 0
    func select(_ id: Int) { Task { await show(id) } }
    private func show(_ id: Int) async { shown = id }
  }

  @Test func `the first step of a task stands where its closure does, whatever lies between`() {
    let start = #line
    let execution = simulate { _ in
      await Task { @MainActor in Screen().select(1) }.value
      await withTaskGroup { group in group.addTask { _ = start } }
      await Task.detached { _ = start }.value
      _ = try? await Task { try Self.fails(start) }.value
    }
    let trace = execution.trace
    let first = trace.tasks.indices.dropFirst().map { task in
      trace.events.first { $0.kind == .step && $0.task == task }.flatMap {
        trace.places(ofStep: $0.step).first
      }
    }
    #expect(first.map { ($0?.line ?? 0) - start } == [2, -5, 3, 4, 5])
  }

  private static func fails(_ line: Int) throws -> Int { throw CocoaError(.featureUnsupported) }

  @Test func `a race on the program's own FakeAccount is named, and its steps are shown`() throws {
    let report = explore(strategy: Strategies.RandomWalk()) { simulation in
      let account = FakeAccount()
      async let first: Void = account.set(account.balance + 10)
      async let second: Void = account.set(account.balance + 20)
      _ = await (first, second)
      let balance = await account.balance
      if balance != 130 { simulation.fail("adds up", "\(balance)") }
    }
    let violation = try #require(report.violations.first)
    #expect(violation.diagnosis == .interleaved)
    #expect(violation.evidence?.contains("on FakeAccount between two steps") == true)
    #expect(report.description.contains("time  FakeAccount"))
    #expect(report.description.contains("PlaceTests.swift:"))
  }

  @Test func `a race on an actor that is a fake is not named`() throws {
    let report = explore(strategy: Strategies.RandomWalk()) { simulation in
      let weather = Weather()
      let order = Mutex<[Int]>([])
      let ask: @Sendable (Int) async -> Void = { number in
        for _ in 1...2 {
          _ = await weather.forecast()
          order.withLock { $0.append(number) }
        }
      }
      async let first: Void = ask(1)
      async let second: Void = ask(2)
      _ = await (first, second)
      if order.withLock({ $0 }) == [1, 2, 1, 2] { simulation.fail("one after the other", "interleaved") }
    }
    let violation = try #require(report.violations.first)
    #expect(violation.diagnosis == nil)
  }

  @Test func `the kinds of domains survive the JSON of a trace`() throws {
    let trace = simulate { _ in
      await FakeAccount().set(1)
      _ = await Weather().forecast()
    }.trace
    let copy = try JSONDecoder().decode(Trace.self, from: try JSONEncoder().encode(trace))
    #expect(copy.domains == trace.domains)
    #expect(copy.domains.map(\.kind) == [.pool, .mainActor, .actor, .fake])
  }
}
