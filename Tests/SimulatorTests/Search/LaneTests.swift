import CProcesses
import Foundation
import Simulator
import Synchronization
import TestEffort
import Testing

@testable import Simulator
@testable import SimulatorCore
@testable import SimulatorKernel
@testable import SimulatorStrategies

/// A long search that several processes run at the same time. Where a process cannot be copied there is but one.
@Suite(.serialized, .enabled(if: Containment.refusal == nil)) struct `Searching in lanes` {
  /// The report of a search in a copy of this process, which has one thread: others can be copied from it.
  private func report(
    _ jobs: Int, schedules: Int = 3_000, _ change: (inout Explorer) -> Void = { _ in },
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) throws -> Explorer.Report {
    let explorer = Explorer(name: "lanes", body: body)
    let outcome: Containment.Outcome<Explorer.Report> = Containment().run(explorer) { explorer in
      explorer.jobs = jobs
      explorer.budget.schedules = schedules
      explorer.budget.violationsToFind = nil
      change(&explorer)
      return explorer.explore()
    }
    guard case .answered(let report) = outcome else { throw CancellationError() }
    return report
  }

  /// How many schedules the process that searches has run itself.
  @Test func `other processes run the lanes`() throws {
    let explorer = Explorer(name: "lanes") { _ in _ = await Self.names(6) }
    let outcome: Containment.Outcome<Int> = Containment().run(explorer) { explorer in
      let own = Log<[Schedule.Choice]>()
      explorer.tried = { own.append($0) }
      explorer.jobs = 2
      explorer.budget.schedules = 3_000
      _ = explorer.explore()
      return own.all.count
    }
    guard case .answered(let count) = outcome else { throw CancellationError() }
    #expect(count > 1_000)
    #expect(count < 1_100)
  }

  private func bytes(_ report: Explorer.Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  private func expectSame(
    schedules: Int = 3_000, jobs: [Int] = tries([3], more: [3, 16], all: [2, 3, 16]),
    _ change: (inout Explorer) -> Void = { _ in },
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) throws -> Explorer.Report {
    let one = try report(1, schedules: schedules, change, body)
    for jobs in jobs {
      let several = try report(jobs, schedules: schedules, change, body)
      #expect(try bytes(several) == bytes(one), "\(jobs) processes")
    }
    return one
  }

  private actor Board {
    private(set) var names = ""
    func write(_ name: String) { names += name }
  }

  private static func names(_ count: Int) async -> String {
    let board = Board()
    await withTaskGroup(of: Void.self) { group in
      for name in "abcdefghijklm".prefix(count) { group.addTask { await board.write(String(name)) } }
    }
    return await board.names
  }

  @Test func `the report is the same for any number of processes`() throws {
    let report = try expectSame { _ in _ = await Self.names(6) }
    #expect(report.schedules == 3_000)
    #expect(report.behaviors > 200)
    #expect(report.processes == .fewAndFresh)
  }

  @Test func `pairs of ends that are left are the same for any number of processes`() throws {
    let report = try expectSame(schedules: 2_000) { _ in
      await withTaskGroup(of: Void.self) { group in
        for index in 1...9 {
          group.addTask {
            for latest in index + 9...index + 12 {
              try? await Simulation.sleep(in: .seconds(index)...(.seconds(latest)))
            }
          }
        }
      }
    }
    #expect(try #require(report.untriedPairs).count > 5)
  }

  @Test func `what a lane finds is the same violation, with the same number and schedule`() throws {
    let report = try expectSame(
      schedules: 20_000,
      {
        $0.strategy = Strategies.RandomWalk()
        $0.budget.violationsToFind = []
      },
      { simulation in
        if await Self.names(7).hasPrefix("gfedc") { simulation.fail("not backwards", "backwards") }
      })
    let found = try #require(report.violations.first)
    #expect(found.number > 1_025)
    #expect(report.schedules == found.number + 1)
  }

  @Test func `what many schedules violate is counted, and told once`() throws {
    let report = try expectSame { simulation in
      let names = await Self.names(5)
      if names.hasPrefix("b") { simulation.fail("not b", "b") }
      if names == "edcba" { simulation.fail("not backwards", "backwards") }
    }
    #expect(report.violations.map(\.invariant).sorted() == ["not b", "not backwards"])
    #expect(report.failures > 100)
  }

  /// More names than have places in what a process tells.
  @Test func `a hundred invariants are told apart`() throws {
    let report = try expectSame(
      schedules: 1_600, { $0.budget.shrinkingExecutions = 0 },
      { simulation in
        let names = await Self.names(5)
        simulation.fail("begins with \(names.prefix(3))", names)
      })
    #expect(report.violations.count > 40)
  }

  @Test func `what needs steps that overlap is found to need them by any number of processes`() throws {
    let report = try expectSame(
      schedules: 4_000, { $0.strategy = Strategies.RandomWalk() },
      { _ in
        guard await Self.names(7).hasPrefix("gfed") else { return }
        // Only here, and so late, do two tasks share a lock.
        let lock = NSLock()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 { group.addTask { lock.withLock {} } }
        }
      })
    #expect(report.hasPreemptibleSteps)
  }

  @Test func `what first comes late is told by any number of processes`() throws {
    let report = try expectSame(
      schedules: 6_000, { $0.strategy = Strategies.RandomWalk() },
      { simulation in
        guard await Self.names(7).hasPrefix("gfedc") else { return }
        // A warning: it outlives its execution.
        Task { await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      })
    #expect(!report.warnings.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a process that ends, or stands still, is made up for`(isStill: Bool) throws {
    let setSearcher: (inout Explorer) -> Void = { explorer in
      explorer.processLimits.stall = .milliseconds(500)
      Self.searcher.withLock { $0 = cp_self() }
    }
    let body: @Sendable (Simulation) async -> Void = { _ in
      let names = await Self.names(6)
      if names.hasPrefix("fed"), cp_self() != Self.searcher.withLock(\.self) {
        while isStill {}
        abort()
      }
    }
    let one = try report(1, setSearcher, body)
    let several = try report(2, setSearcher, body)
    #expect(try bytes(several) == bytes(one))
    #expect(several.schedules == 3_000)
    #expect(several.holds)
  }

  /// The process that searches, in the copy of the tests that it is.
  private static let searcher = Mutex<Int32>(0)

  /// How many executions this process has run.
  private static let executions = Mutex(0)

  @Test func `a violation that only another process shows is told`() throws {
    let body: @Sendable (Simulation) async -> Void = { simulation in
      let count = Self.executions.withLock { count in
        count += 1
        return count
      }
      _ = await Self.names(4)
      // Where so many have run before: in the copies, and not in the process that searches, which runs fewer.
      if count == 1_600 { simulation.fail("never so often", "\(count)") }
    }
    let report = try report(2, { _ in }, body)
    #expect(report.keepsState)
    #expect(report.warnings.contains { $0.contains("showed a violation of never so often") })
  }

  @Test func `a schedule that ends the process is the same violation for any number of processes`() throws {
    let report = try expectSame(
      schedules: 1_500, jobs: [2],
      {
        $0.strategy = Strategies.RandomWalk()
        $0.budget.shrinkingExecutions = 0
      },
      { _ in if await Self.names(6).hasPrefix("fedcb") { fatalError("backwards") } })
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.noCrash])
  }

  @Test func `lanes share what would not be run twice`() {
    let tried = Log<[Schedule.Choice]>()
    var explorer = Explorer(name: "lanes") { _ in _ = await Self.names(9) }
    explorer.strategy = FewDeviations()
    explorer.tried = { tried.append($0) }
    explorer.budget.schedules = 2_500
    #expect(explorer.explore().schedules == 2_500)
    #expect(Set(tried.all).count == 2_500)
  }
}
