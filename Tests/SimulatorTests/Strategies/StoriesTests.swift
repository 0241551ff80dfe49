import Simulator
import SimulatorStrategies
import Synchronization
import Testing

@Suite struct `Every story within a bound` {
  private struct Told: Hashable {
    let actions: [Int]
    let setting: Int
    let answers: [Int]
  }

  /// The stories of three places for an action, a setting, and three answers.
  private static func told(_ bound: Strategies.StoryBound) -> (stories: [Told], report: Explorer.Report) {
    let told = Mutex<[Told]>([])
    var explorer = Explorer(name: "stories") { simulation in
      let actions = (1...3).map { _ in simulation.choose(.action, among: [0, 1, 2]) }
      let setting = simulation.choose(.setting, among: [0, 1])
      let answers = [
        simulation.choose(.fault, among: [0, 1, 2]), simulation.choose(.alternative, among: [0, 1]),
        simulation.choose(.fault, among: [0, 1]),
      ]
      told.withLock { $0.append(Told(actions: actions, setting: setting, answers: answers)) }
    }
    explorer.strategy = .stories(bound)
    explorer.budget.schedules = 100_000
    explorer.checksDeterminism = false
    explorer.triesNaturalOrder = false
    let report = explorer.explore()
    return (told.withLock { $0 }, report)
  }

  /// The same by their definition: nothing comes before something.
  private static func expected(_ bound: Strategies.StoryBound) -> Set<Told> {
    var stories: Set<Told> = []
    for number in 0..<(27 * 2 * 12) {
      let actions = [number % 3, number / 3 % 3, number / 9 % 3]
      let answers = [number / 54 % 3, number / 162 % 2, number / 324 % 2]
      let done = actions.prefix { $0 != 0 }.count
      guard actions.dropFirst(done).allSatisfy({ $0 == 0 }), done <= bound.actions,
        answers.count(where: { $0 != 0 }) <= bound.answers
      else { continue }
      stories.insert(Told(actions: actions, setting: number / 27 % 2, answers: answers))
    }
    return stories
  }

  @Test(arguments: [(0, 0), (1, 0), (2, 1), (3, 1), (3, 3), (2, 2)])
  func `each is told exactly once, and no other`(actions: Int, answers: Int) {
    let bound = Strategies.StoryBound(actions: actions, answers: answers, deviations: 0)
    let (stories, report) = Self.told(bound)
    #expect(Set(stories) == Self.expected(bound))
    #expect(stories.count == Set(stories).count)
    #expect(report.coverage == .stories(bound))
  }

  @Test func `the claim names the bound`() {
    let bound = Strategies.StoryBound(actions: 1, answers: 2, deviations: 0)
    #expect(
      Self.told(bound).report.coveredText?.hasPrefix(
        "every story on offer of at most 1 action, 2 other answers of the world and 0 deviations explored (")
        == true)
  }

  @Test func `a search that ended before claims nothing`() {
    var explorer = Explorer(name: "stories") { simulation in
      for _ in 1...3 { _ = simulation.choose(.action, among: [0, 1, 2]) }
    }
    explorer.strategy = .stories()
    explorer.budget.schedules = 3
    let report = explorer.explore()
    #expect(report.coverage == nil)
    #expect(report.incompleteCoverageText != nil)
  }

  @Test(arguments: [1, 2, 3])
  func `orders of two tasks are bounded by deviations, as delay bounding bounds them`(deviations: Int) {
    let body: @Sendable (Simulation) async throws -> Void = { _ in
      await withTaskGroup { group in
        for _ in 1...3 { group.addTask { for _ in 1...2 { await Task.yield() } } }
      }
    }
    var stories = Explorer(name: "stories", body: body)
    stories.strategy = .stories(.init(actions: 0, answers: 0, deviations: deviations))
    stories.budget.schedules = 100_000
    var delays = Explorer(name: "delays", body: body)
    delays.strategy = .delayBounded(atMost: deviations)
    delays.budget.schedules = 100_000
    let (one, other) = (stories.explore(), delays.explore())
    #expect(one.coverage != nil && other.coverage != nil)
    #expect(one.coveredSchedules == other.coveredSchedules)
    #expect(one.behaviors == other.behaviors)
  }

  @Test func `in drawn stories the user does nothing at every other place, and settings are drawn alike`() {
    for strategy in Strategies.Named.all where strategy.goal == nil {
      let counts = Mutex((nothing: 0, usual: 0, all: 0))
      var explorer = Explorer(name: "drawn") { simulation in
        let action = simulation.choose(.action, among: Array(0..<9))
        let setting = simulation.choose(.setting, among: [0, 1])
        counts.withLock { counts in
          counts.all += 1
          if action == 0 { counts.nothing += 1 }
          if setting == 0 { counts.usual += 1 }
        }
      }
      explorer.strategy = strategy.make()
      explorer.budget.schedules = 2_000
      _ = explorer.explore()
      let (nothing, usual, all) = counts.withLock { $0 }
      #expect((all * 4 / 10...all * 6 / 10).contains(nothing), "\(strategy.name): \(nothing) of \(all)")
      #expect((all * 4 / 10...all * 6 / 10).contains(usual), "\(strategy.name): \(usual) of \(all)")
    }
  }
}
