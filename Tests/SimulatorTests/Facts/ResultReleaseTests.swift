import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// A task that ends wakes those that wait for it before its thread releases it. Until then its result has one more owner.
@Suite struct `Release of a task's result` {
  private final class Value: Sendable {
    private let ends: @Sendable () -> Void
    init(_ ends: @escaping @Sendable () -> Void = {}) { self.ends = ends }
    deinit { ends() }
  }

  private struct Reply: Sendable {
    let number: Int
    let value: Value?
  }

  /// Expects exactly these outcomes of a program: from so many schedules of the default strategy, and from searches that end.
  private func check(
    _ expected: Set<String>, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Simulation) async -> String
  ) {
    let program = SmallProgram("release", body)
    let outcomes = program.outcomes(.portfolio, schedules: 500).outcomes
    #expect(outcomes == expected, sourceLocation: sourceLocation)
    for strategy: any SchedulingStrategy in [.reduced, .exhaustive] {
      let (outcomes, report) = program.outcomes(strategy)
      #expect(outcomes == expected, sourceLocation: sourceLocation)
      #expect(report.coverage != nil, "\(report)", sourceLocation: sourceLocation)
    }
  }

  @Test func `a weak reference still finds the result, or finds nothing`() {
    check(["alive", "gone"]) { _ in
      weak var found: Value?
      do {
        let value = await Task.detached { Value() }.value
        found = value
      }
      return found == nil ? "gone" : "alive"
    }
  }

  @Test func `the result may be inside of something else`() {
    check(["alive", "gone"]) { _ in
      weak var found: Value?
      do {
        let value = await Task.detached { [Reply(number: 1, value: Value())] }.value
        found = value[0].value
      }
      return found == nil ? "gone" : "alive"
    }
  }

  @Test func `a child of a group keeps its result as well`() {
    check(["alive", "gone"]) { _ in
      await withTaskGroup(of: Value.self) { group in
        group.addTask { Value() }
        weak var found: Value?
        if let value = await group.next() { found = value }
        return found == nil ? "gone" : "alive"
      }
    }
  }

  @MainActor private static func yieldedOnMain() async -> Value {
    await Task.yield()
    return Value()
  }

  @Test func `a task of the main actor may be released after a step of the pool`() {
    check(["alive", "gone"]) { _ in
      weak var found: Value?
      do {
        let value = await Task { @MainActor in await Self.yieldedOnMain() }.value
        found = value
      }
      return found == nil ? "gone" : "alive"
    }
  }

  @Test func `a task of the main actor is released before the next step there`() {
    check(["gone"]) { _ in
      await Task { @MainActor in
        weak var found: Value?
        do {
          let value = await Task { @MainActor in await Self.yieldedOnMain() }.value
          found = value
        }
        return found == nil ? "gone" : "alive"
      }.value
    }
  }

  private actor Maker {
    private var count = 0

    func task() -> Task<Value, Never> {
      Task {
        await Task.yield()
        count += 1
        return Value()
      }
    }

    func look() async -> String {
      weak var found: Value?
      do {
        let value = await task().value
        found = value
      }
      return found == nil ? "gone" : "alive"
    }
  }

  @Test func `a task of an actor may be released after a step of the pool`() {
    check(["alive", "gone"]) { _ in
      weak var found: Value?
      do {
        let value = await Maker().task().value
        found = value
      }
      return found == nil ? "gone" : "alive"
    }
  }

  @Test func `a task of an actor is released before the next step there`() {
    check(["gone"]) { _ in await Maker().look() }
  }

  @Test func `an immediate task is released before the step in which it ends goes on`() {
    check(["gone"]) { _ in
      weak var found: Value?
      do {
        let value = await Task.immediate { Value() }.value
        found = value
      }
      return found == nil ? "gone" : "alive"
    }
  }

  @Test func `of two results in a row, each is freed late or not`() {
    check(["alive, alive", "alive, gone", "gone, alive", "gone, gone"]) { _ in
      func look() async -> String {
        weak var found: Value?
        do {
          let value = await Task.detached { Value() }.value
          found = value
        }
        return found == nil ? "gone" : "alive"
      }
      let first = await look()
      return await "\(first), \(look())"
    }
  }

  @Test func `a deinitializer runs before or after what the one who waited does next`() {
    check(["next, ended", "ended, next"]) { _ in
      let log = Mutex<[String]>([])
      do { _ = await Task.detached { Value { log.withLock { $0.append("ended") } } }.value }
      log.withLock { $0.append("next") }
      try? await Task.sleep(for: .milliseconds(1))
      return log.withLock { $0.joined(separator: ", ") }
    }
  }

  @Test func `at rest, everything is freed`() {
    check(["gone"]) { _ in
      weak var found: Value?
      do {
        let value = await Task.detached { Value() }.value
        found = value
      }
      try? await Task.sleep(for: .milliseconds(1))
      return found == nil ? "gone" : "alive"
    }
  }

  private struct Failure: Error { let value: Value? }

  @Test func `an error that is thrown is kept as well`() {
    check(["alive", "gone"]) { _ in
      weak var found: Value?
      do {
        try await Task.detached { throw Failure(value: Value()) }.value
      } catch {
        found = (error as? Failure)?.value
      }
      return found == nil ? "gone" : "alive"
    }
  }

  private static let plain: [(name: String, body: @Sendable () async -> Bool)] = [
    ("text", { await Task.detached { String(repeating: "long", count: 10) }.value.count == 40 }),
    ("numbers", { await Task.detached { [1: Data([2])] }.value.count == 1 }),
    (
      "error",
      {
        await Task.detached { () throws(CancellationError) -> Value in throw CancellationError() }.result
          .isFailure
      }
    ),
    (
      "continuation",
      { await Task.detached { Optional<(CheckedContinuation<Int, Never>, String)>.none }.value == nil }
    ),
    ("nothing", { await Task.detached { Optional<Result<Date, any Error>>.none }.value == nil }),
  ]

  @Test(arguments: plain.indices)
  func `a result without an object of the program's makes no choice`(_ index: Int) {
    let program = SmallProgram("release") { _ in "\(await Self.plain[index].body())" }
    let (outcomes, report) = program.outcomes(.exhaustive)
    #expect(outcomes == ["true"])
    #expect(report.schedules == 1, "\(Self.plain[index].name)")
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}

/// The reduced search knows which steps look at an object and which one frees it.
@Suite struct `References that do not keep` {
  private final class Value: Sendable {}

  private actor Owner {
    private var value: Value?
    init(_ value: Value) { self.value = value }
    func drop() { value = nil }
  }

  private actor Watcher {
    private weak var value: Value?
    func watch(_ value: Value) { self.value = value }
    func sees() -> Bool { value != nil }

    /// Keeps the object while others run.
    func keeps() async -> Bool {
      guard let value else { return false }
      await Task.yield()
      return withExtendedLifetime(value) { true }
    }
  }

  private static func program(_ look: @escaping @Sendable (Watcher) async -> Bool) -> SmallProgram {
    SmallProgram("weak") { _ in
      let watcher = Watcher()
      let owner: Owner
      do {
        let value = Value()
        owner = Owner(value)
        await watcher.watch(value)
      }
      async let dropped: Void = owner.drop()
      let sees = await look(watcher)
      await dropped
      return "\(sees)"
    }
  }

  @Test func `the step that frees an object races with one that looks at it`() {
    let program = Self.program { await $0.sees() }
    for strategy: any SchedulingStrategy in [.reduced, .exhaustive, .portfolio] {
      #expect(program.outcomes(strategy, schedules: 500).outcomes == ["true", "false"])
    }
  }

  /// Says when it ends.
  private final class Noting: Sendable {
    private let ends: @Sendable () -> Void
    init(_ ends: @escaping @Sendable () -> Void) { self.ends = ends }
    deinit { ends() }
  }

  private actor Keeper {
    private var value: Noting?
    init(_ value: Noting) { self.value = value }
    func taken() -> Noting? { value }
    func drop() { value = nil }
  }

  private final class Reference: @unchecked Sendable {
    // @unchecked Sendable because it is never written again.
    weak private(set) var value: Noting?
    init(_ value: Noting) { self.value = value }
  }

  @Test func `a step that drops a reference may drop the last one`() {
    let program = SmallProgram("ends") { simulation in
      let notes = Log<String>()
      let keepers = ["a", "b"].map { name in
        Noting {
          simulation.declareAccess(to: "notes")
          notes.append(name)
        }
      }.map { (keeper: Keeper($0), reference: Reference($0)) }
      async let dropped: Void = keepers[1].keeper.drop()
      async let rest: Void = {
        async let held: Void = {
          let value = await keepers[1].keeper.taken()
          withExtendedLifetime(value) {}
        }()
        await held
        async let other: Void = keepers[0].keeper.drop()
        await other
      }()
      _ = await (dropped, rest)
      return notes.all.joined()
    }
    let all = program.outcomes(.exhaustive)
    #expect(all.report.coverage == .everySchedule && all.outcomes == ["ab", "ba"])
    #expect(program.outcomes(.reduced).outcomes == all.outcomes)
  }

  /// The verdict claims less than the search does.
  @Test func `the verdict of the reduced search excepts weak references`() {
    let program = Self.program { await $0.keeps() }
    #expect(program.outcomes(.portfolio, schedules: 500).outcomes == ["true", "false"])
    let (_, report) = program.outcomes(.reduced)
    #expect(report.coveredText?.contains("a `weak` reference") ?? true, "\(report)")
  }
}
