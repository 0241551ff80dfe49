import ScenarioFiles
import Simulator
import SimulatorStrategies

/// Plays a scenario with each of its variants and compares what is violated with what is expected.
struct ScenarioRunner {
  let scenario: Scenario
  let type: any System.Type
  /// What its executions have used.
  private(set) var usage = Usage()
  /// How the process is protected from the code that it plays.
  var confinement = Confinement()
  /// The part of the search that is run; nil for the whole.
  var shard: ShardNumber?

  init(scenario: Scenario, type: any System.Type) {
    self.scenario = scenario
    self.type = type
  }

  /// Plays all variants, on the calling thread.
  func run() -> ScenarioResult {
    let variants = scenario.expectations.map { expectation in
      var runner = self
      runner.usage = Usage()
      let result = runner.run(expectation)
      usage.add(runner.usage.total)
      return result
    }
    return ScenarioResult(scenario: scenario, variants: variants, untested: usage.unused(in: scenario))
  }

  /// Plays one variant: recorded schedules first, then the natural order, then the search, until all that is
  /// expected has been seen or the budget is spent. A variant that is to hold is searched to the end of the
  /// budget.
  func run(_ expectation: Expectation) -> VariantResult {
    let clock = ContinuousClock()
    let start = clock.now
    var explorer = explorer(expectation.variant)
    explorer.shard = shard?.part(of: scenario.name, expectation.variant)
    let isHome = explorer.shard?.isHome ?? true
    let replays = scenario.replays.filter { isHome && $0.variant == expectation.variant }
    let tokens = replays.compactMap { try? Schedule.Token(parsing: $0.token) }
    explorer.firstSchedules = tokens.map(\.schedule)
    explorer.budget.violationsToFind =
      expectation.isOpen ? [] : expectation.violated.isEmpty ? nil : Set(expectation.violated)
    let replayed = replays.map { replay($0, with: explorer) }
    let report = explorer.explore()
    return VariantResult(
      variant: expectation.variant, expectation: expectation, report: report, replays: replayed,
      listed: scenario.checks.map(\.invariant), duration: clock.now - start,
      unused: expectation.outcome == .holds ? usage.unused(in: scenario) : [],
      stories: usage.coverage(of: scenario))
  }

  /// The exploration of one variant with the scenario's own budget and seed; it never stops early.
  func explorer(_ variant: String, recordedBy recorder: StoryRecorder? = nil) -> Explorer {
    var explorer = Explorer(
      name: scenario.reportName(variant), options: scenario.executionOptions,
      body: scenario.body(variant, of: type, noting: usage, recordedBy: recorder))
    confinement.confine(&explorer)
    explorer.freshOrigin = .program
    explorer.freshness = scenario.search.isFresh ? .everyExecution : .checked
    explorer.childPayload = recorder?.childPayload ?? usage.childPayload
    explorer.seed = scenario.search.seed
    explorer.strategy = strategy
    explorer.budget.schedules = scenario.search.strategy == "natural" ? 1 : scenario.search.schedules
    explorer.budget.exhaustiveDeviationBound = scenario.search.exhaustDeviations
    if !scenario.search.isOfStories { explorer.budget.exhaustiveStoryBound = scenario.search.bound }
    explorer.budget.violationsToFind = nil
    // Reports are the same bytes on every machine, however busy it is.
    explorer.budget.shrinkingTime = nil
    return explorer
  }

  private var strategy: any SchedulingStrategy {
    // The checker has refused every other name.
    if scenario.search.isOfStories, let bound = scenario.search.bound { return Strategies.Stories(bound) }
    return Strategies.Named.named(scenario.search.strategy)?.make() ?? Strategies.Portfolio()
  }

  /// What the natural order of one variant leads to, its steps as whole as a search takes them.
  func naturalOrder(_ variant: String, comparing: Bool) -> Explorer.ReplayResult {
    var search = explorer(variant)
    // What it leaves behind must not be there when the order is shown.
    search.freshness = .everyExecution
    search.strategy = Strategies.NaturalOrder()
    search.budget = Explorer.Budget()
    search.budget.schedules = 1
    search.budget.shrinkingExecutions = 0
    let isPreemptible = search.explore().hasPreemptibleSteps
    let result = explorer(variant).run(.natural(isPreemptible), comparing: comparing)
    // A step that waits inside Foundation can only go on if others run meanwhile.
    guard result.hasEscaped, !isPreemptible else { return result }
    return explorer(variant).run(.natural(true), comparing: comparing)
  }

  /// The natural order of one variant, for an audit: with atomic steps, unless a step waits for another then.
  func auditedOrder(_ variant: String) -> Explorer.ReplayResult {
    let result = explorer(variant).replay(Schedule.Token(schedule: .natural, digest: 0))
    guard result.hasEscaped else { return result }
    return explorer(variant).replay(Schedule.Token(schedule: .natural(true), digest: 0))
  }

  private func replay(_ replay: RecordedReplay, with explorer: Explorer) -> ReplayedToken {
    do throws(Schedule.Token.ParsingError) {
      let token = try Schedule.Token(parsing: replay.token)
      guard token.build == .current, token.hashSeed == Schedule.Token.currentHashSeed else {
        return ReplayedToken(replay: replay, outcome: .hint)
      }
      let result = explorer.replay(token)
      if let divergence = result.divergence {
        return ReplayedToken(replay: replay, outcome: .diverged(divergence))
      }
      let again = result.execution.violations.map(\.invariant)
      return ReplayedToken(replay: replay, outcome: again.isEmpty ? .harmless : .reproduced(again))
    } catch {
      return ReplayedToken(replay: replay, outcome: .unreadable(error))
    }
  }
}

extension Schedule {
  fileprivate static func natural(_ hasPreemptibleSteps: Bool) -> Schedule {
    Schedule(deviations: [], hasPreemptibleSteps: hasPreemptibleSteps)
  }
}

extension Explorer.ReplayResult {
  fileprivate var hasEscaped: Bool {
    execution.violations.contains { $0.invariant == Invariant.BuiltIn.escape }
  }
}
