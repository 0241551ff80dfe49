import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// The first execution of a process, where no other process can be had: tests run beside other threads.
@Suite struct `The first execution` {
  @Test func `counts: what only it violates is a violation, and says so`() throws {
    let runs = Mutex(0)
    let report = explore(schedules: 20) { simulation in
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      await Task.yield()
      if isFirst { simulation.fail("never empty", "the cache is empty") }
    }
    let violation = try #require(report.violations.first)
    #expect(report.violations.count == 1)
    #expect(violation.invariant == "never empty")
    #expect(violation.freshReplay == .onlyInFreshProcess)
    #expect(violation.message.contains("only the first execution of a process shows it"))
    let words = violation.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("only in a copy of the process from before the search"))
    #expect(!violation.description.contains("reproduced"))
    #expect(report.failures == 1)
  }

  @Test func `is what its token replays`() throws {
    let runs = Mutex(0)
    let body: @Sendable (Simulation) async throws -> Void = { simulation in
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      await Task.yield()
      if isFirst { simulation.fail("never empty", "the cache is empty") }
    }
    let token = try #require(explore("first", body).violations.first?.token)
    runs.withLock { $0 = 0 }
    let replay = Explorer(name: "again", body: body).replay(token)
    #expect(replay.divergence == nil)
    #expect(replay.execution.violations.map(\.invariant) == ["never empty"])
  }

  @Test func `may fill what later ones find full`() {
    let report = explore(schedules: 20) { simulation in
      let text = await Words.shared.text(of: 7)
      #expect(text == "7")
      simulation.record(.note(text))
    }
    #expect(report.holds)
    #expect(report.warnings.isEmpty)
    #expect(!report.keepsState)
  }

  @Test func `withdraws a claim about every schedule where it is unlike the others`() {
    let isLoaded = Mutex(false)
    var explorer = Explorer(name: "once") { _ in
      async let other: Void = Task.yield()
      if !isLoaded.withLock({ isLoaded in
        defer { isLoaded = true }
        return isLoaded
      }) {
        await Task.yield()
      }
      await other
    }
    explorer.strategy = Strategies.ExhaustiveDFS()
    let report = explorer.explore()
    #expect(report.holds)
    #expect(report.keepsState)
    #expect(report.coverageText.contains("of a process that had run the program before"))
  }

  @Test func `is compared again at the end of the search`() throws {
    let runs = Mutex(0)
    let report = explore(schedules: 20) { simulation in
      let count = runs.withLock { runs in
        runs += 1
        return runs
      }
      await Task.yield()
      if count > 23 { simulation.record(.note("late")) }
    }
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == Invariant.BuiltIn.nondeterminism)
    #expect(violation.message.contains("the natural order is no longer what it was when the search began"))
    #expect(report.schedules == 20)
  }

  @Test func `is what a verdict says it is about`() {
    let report = explore(schedules: 3) { _ in await Task.yield() }
    #expect(
      report.description.contains(
        "holds in 3 schedules, seed 0, in one process (not tried in a fresh one: this process has other threads)"
      ))
    #expect(report.processes == .one(why: "this process has other threads"))
  }

  @Test func `has no part in a replay that violates nothing any more`() throws {
    let isFixed = Mutex(false)
    let body: @Sendable (Simulation) async throws -> Void = { simulation in
      await Task.yield()
      if !isFixed.withLock(\.self) { simulation.fail("fixed", "not yet") }
    }
    let token = try #require(explore("first", body).violations.first?.token)
    isFixed.withLock { $0 = true }
    let replay = Explorer(name: "again", body: body).replay(token)
    #expect(replay.divergence == nil)
    #expect(!replay.isSameTrace)
    #expect(replay.nothingViolatedText?.contains("nothing is violated any more") == true)
  }

  @Test func `of a token that parts, the replay says where`() throws {
    let token = try Schedule.Token(parsing: "\(Schedule.Token.Build.current.rawValue)/9:1/2#00000000")
    let replay = Explorer(name: "again") { _ in await Task.yield() }.replay(token)
    #expect(replay.nothingViolatedText == nil)
    #expect(replay.divergence?.description.contains("goes on to choice 9") == true)
  }
}

/// Filled by the first execution.
private actor Words {
  static let shared = Words()
  private var texts: [Int: String] = [:]

  func text(of number: Int) -> String {
    if let text = texts[number] { return text }
    texts[number] = "\(number)"
    return "\(number)"
  }
}
