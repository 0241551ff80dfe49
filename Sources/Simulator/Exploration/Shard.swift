internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

extension Explorer {
  /// A part of a search, each part of which has a process of its own, on any machine.
  ///
  /// Round 0 is the natural order; every later round has ``Explorer/roundSize`` schedules. A shard runs every
  /// ``count``-th round, under the same numbers as a search that runs all of them. It knows nothing of the other shards: it
  /// begins with nothing learned, and learns only from the natural order and from its own rounds.
  ///
  /// One shard, the *home* of the search, alone runs everything that is not random: the schedules to try first, the bounded
  /// search, and the cancels at each point. These have numbers from the budget on, so that no two schedules share one. A
  /// strategy that tries to cover something cannot be divided: the home runs all of it.
  package struct Shard: Codable, Hashable, Sendable {
    /// The number of the shard, from 1.
    package let index: Int
    /// The number of shards.
    package let count: Int
    /// True if it runs what one shard runs alone. The natural order counts there and nowhere else.
    package let isHome: Bool

    package init(_ index: Int, of count: Int, isHome: Bool) {
      refuse(
        if: !(1...max(1, count)).contains(index), "there is no shard \(index) of \(count); name one from 1 on"
      )
      self.index = index
      self.count = count
      self.isHome = isHome
    }

    /// Returns the number of the first schedule of a round.
    static func start(ofRound round: Int) -> Int { 1 + (round - 1) * Explorer.roundSize }

    /// Returns the number of schedules of a budget that are its own. They include the natural order, from which it learns.
    func share(of budget: Int) -> Int {
      1
        + stride(from: index, through: budget / Explorer.roundSize + 1, by: count).reduce(0) { sum, round in
          sum + max(0, min(Explorer.roundSize, budget - Self.start(ofRound: round)))
        }
    }

    /// Returns true if it has no part of a search.
    func isIdle(in explorer: Explorer) -> Bool {
      let coversAlone = explorer.strategy is any Strategies.Covering
      return !isHome && (coversAlone || Self.start(ofRound: index) >= explorer.budget.schedules)
    }
  }
}

/// The numbers of a search's executions, and which of the executions count here. If the search is not divided, a number is
/// the count of those that have counted before.
struct Numbering {
  /// The part of the search that this is; nil if it is the whole.
  let shard: Explorer.Shard?
  private let budget: Int
  /// The amount by which the number of the next execution exceeds the count of those that have counted.
  fileprivate(set) var passedOver = 0
  /// The end of the numbers: no execution has this number.
  fileprivate(set) var end: Int
  /// The next number for what one shard runs alone.
  fileprivate var alone: Int
  /// The next round of the shard.
  fileprivate var round: Int
  fileprivate var isInRound = false

  /// Makes the numbers for what `explorer` runs.
  init(_ explorer: Explorer) {
    shard = explorer.strategy is any Strategies.Covering ? nil : explorer.shard
    budget = explorer.budget.schedules
    end = budget
    alone = budget
    round = shard?.index ?? 0
  }

  /// True if an execution counts. Every shard runs the natural order, which counts in one.
  fileprivate var counts: Bool { shard.map { $0.isHome || isInRound } ?? true }

  /// True if everything that is not random runs here.
  var isHome: Bool { shard?.isHome ?? true }

  /// Returns the number of schedules that a strategy may have if it comes next.
  func left(after number: Int, covering: Bool) -> Int {
    guard let shard, !covering else { return end - number }
    return shard.share(of: budget)
  }
}

// MARK: - The search of a shard

extension Search {
  /// The number of the next execution.
  var number: Int { report.schedules + numbering.passedOver }

  /// Counts an execution if it counts here. In any case the next execution has the next number.
  mutating func count(_ outcome: Runner.Outcome) {
    if numbering.counts { report.count(outcome) } else { numbering.passedOver += 1 }
    explorer.recorder?.number = number
  }

  /// Counts an execution that is not part of a round. It takes no number from the round of a shard.
  mutating func countBesides(_ outcome: Runner.Outcome) {
    count(outcome)
    if numbering.shard != nil { numbering.passedOver -= 1 }
  }

  private mutating func go(to number: Int, before end: Int) {
    go(to: number)
    numbering.end = end
  }

  /// Gives the next execution this number, however many have counted.
  mutating func go(to number: Int) {
    numbering.passedOver = number - report.schedules
    explorer.recorder?.number = number
  }

  /// Begins what this shard alone runs.
  mutating func beginAlone() {
    if numbering.shard != nil { go(to: numbering.alone, before: 2 * explorer.budget.schedules) }
  }

  /// Begins what is divided among all shards.
  mutating func beginShare() {
    guard numbering.shard != nil else { return }
    numbering.alone = number
    go(to: 0, before: explorer.budget.schedules)
  }

  /// Runs, between two schedules of a round, something that this shard runs alone.
  mutating func alone(_ body: (inout Search) -> Void) {
    guard numbering.shard != nil else { return body(&self) }
    let (before, end) = (number, numbering.end)
    beginAlone()
    body(&self)
    numbering.alone = number
    go(to: before, before: end)
  }

  /// Runs the natural order, from which each shard learns, and then the rounds of this shard. A round that was abandoned for
  /// another level of steps starts again.
  mutating func runRounds(of shard: Explorer.Shard, startsNaturally: Bool) {
    if startsNaturally {
      step()
    } else {
      runner.watching { _ = step() }
    }
    sweepIfOffered()
    runner.roundEnded()
    runner.divide(shard.index - 1, of: shard.count)
    numbering.isInRound = true
    defer { numbering.isInRound = false }
    while true {
      let start = Explorer.Shard.start(ofRound: numbering.round)
      go(to: start, before: explorer.budget.schedules)
      while !isDone, number < start + Explorer.roundSize {
        step()
        sweepIfOffered()
      }
      if isDone { return }
      runner.roundEnded()
      numbering.round += shard.count
    }
  }
}
