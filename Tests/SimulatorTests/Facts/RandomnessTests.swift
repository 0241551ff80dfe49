import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// Chance and hashing are functions of the schedule.
@Suite struct `Randomness` {
  /// A line with something from every source.
  static func everySource() -> String {
    var generator = SystemRandomNumberGenerator()
    srand(42)
    let seeded = rand()
    srandom(42)
    #expect(seeded == Int32(random()))
    var words: [String] = ["\(Int.random(in: 0..<1_000_000))", "\(generator.next())", UUID().uuidString]
    words += ["\(Double.random(in: 0..<1))", "\(arc4random())", "\(arc4random_uniform(10))", "\(drand48())"]
    words += ["\(seeded)", "\(lrand48())", "\(mrand48())", "\([1, 2, 3, 4, 5, 6].shuffled())"]
    words.append("\(Set((0..<20).map { "\($0)" }))")
    words.append("\(Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, 0) }).keys)")
    var buffer = [UInt8](repeating: 0, count: 12)
    let got = unsafe getentropy(&buffer, 12)
    words.append("\(got) \(buffer) \("text".hashValue) \(1.hashValue)")
    return words.joined(separator: " ")
  }

  @Test func `every source gives the same on every run, on every thread`() async {
    let lines = await withTaskGroup(of: String.self) { group in
      for _ in 1...8 {
        group.addTask { @concurrent in
          let line = Mutex("")
          for _ in 1...3 {
            _ = simulate { _ in
              let drawn = Randomness.everySource()
              line.withLock { line in
                #expect(line.isEmpty || line == drawn)
                line = drawn
              }
            }
          }
          return line.withLock { $0 }
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(lines.count == 1)
  }

  @Test func `two draws of one run differ`() {
    _ = simulate { _ in
      #expect(UUID() != UUID())
      #expect(UInt64.random(in: 0...(.max)) != UInt64.random(in: 0...(.max)))
      #expect((0..<8).map { _ in rand() } != (0..<8).map { _ in rand() })
      #expect((0..<1_000).allSatisfy { _ in arc4random_uniform(7) < 7 })
      #expect((0..<1_000).allSatisfy { _ in (0..<1).contains(drand48()) })
    }
  }

  @Test func `outside a simulation chance is chance`() {
    #expect(UUID() != UUID())
    #expect(Set((0..<8).map { _ in arc4random() }).count > 1)
    #expect(Set((0..<8).map { _ in arc4random_uniform(.max) }).count > 1)
    srand(1)
    let first = rand()
    srand(1)
    #expect(first == rand())
  }
}

/// Random numbers are the schedule's to decide.
@Suite struct `Draws` {
  private static func number(_ strategy: any SchedulingStrategy, schedules: Int = 200) -> (
    outcomes: Set<String>, report: Explorer.Report
  ) {
    SmallProgram("draws") { _ in "\(Int.random(in: 0..<4))" }.outcomes(strategy, schedules: schedules)
  }

  @Test func `random schedules draw every number`() {
    #expect(Self.number(.portfolio).outcomes.count == 4)
    #expect(Self.number(.randomWalk).outcomes.count == 4)
  }

  @Test func `a UUID differs between schedules`() {
    let program = SmallProgram("UUID") { _ in UUID().uuidString }
    #expect(program.outcomes(.randomWalk, schedules: 100).outcomes.count > 5)
  }

  @Test func `a search in order covers one draw, and says so`() {
    for strategy: any SchedulingStrategy in [.exhaustive, .delayBounded(), .reduced] {
      let (outcomes, report) = Self.number(strategy)
      #expect(outcomes.count == 1)
      #expect(report.coverageText.contains("for one draw of random numbers"))
    }
    let none = SmallProgram("none") { _ in "" }.outcomes(.exhaustive).report
    #expect(!none.coverageText.contains("random numbers"))
  }

  @Test func `three executions in four have the usual numbers`() {
    let usual = Mutex((0, 0))
    let first = Self.first
    _ = exhaust(schedules: 400) { _ in
      let number = UInt64.random(in: 0...(.max))
      usual.withLock { counts in
        counts.0 += 1
        if number == first { counts.1 += 1 }
      }
    }
    let (all, same) = usual.withLock { $0 }
    #expect(all >= 400 && same > all / 2 && same < all)
  }

  private static let first: UInt64 = {
    let first = Mutex<UInt64>(0)
    _ = simulate { _ in
      let number = UInt64.random(in: 0...(.max))
      first.withLock { $0 = number }
    }
    return first.withLock { $0 }
  }()

  @Test func `a violation that needs a number replays with it, and is explained`() throws {
    struct Unlucky: Error {}
    let explorer = Explorer(name: "unlucky") { _ in
      if Int.random(in: 0..<16) == 7 { throw Unlucky() }
    }
    let violation = try #require(explorer.explore().violations.first)
    #expect(violation.token.schedule.deviations.count == 1)
    #expect("\(violation)".contains("the program gets other random numbers"))
    let again = explorer.replay(violation.token)
    #expect(again.divergence == nil && again.isSameTrace)
  }
}

extension Draws {
  @Test func `what is minimal is so for one draw, and no other draw is tried for it`() throws {
    struct Both: Error {}
    let explorer = Explorer(name: "both") { simulation in
      _ = Int.random(in: 0..<16)
      if simulation.choose(among: ["a", "b"]) == "b", simulation.choose(among: ["c", "d"]) == "d" {
        throw Both()
      }
    }
    let violation = try #require(explorer.explore().violations.first)
    let shrinking = try #require(violation.shrinking)
    #expect(shrinking.minimality == .proved(tried: 2))
    #expect(shrinking.executions < 100)
    #expect(
      shrinking.description.contains(
        "all 2 schedules with fewer deviations hold, for one draw of random numbers"))
  }
}
