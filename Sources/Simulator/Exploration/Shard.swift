extension Explorer {
  /// A part of a search of which each part has a process of its own, on whatever machine.
  ///
  /// Round 0 is the natural order; every later round has ``Explorer/roundSize`` schedules. A shard runs every
  /// ``count``-th round, under the same numbers as a search that runs all of them. It knows nothing of the others: it
  /// begins with nothing learned, and learns only from the natural order and from its own rounds.
  ///
  /// What is not drawn by chance one shard does alone, the *home* of the search: the schedules to try first, the bounded
  /// search, the cancels at each point. These have numbers from the budget on, so that no two schedules share one. A
  /// strategy that sets out to cover something cannot be divided: the home runs all of it.
  package struct Shard: Codable, Hashable, Sendable {
    /// Its number, from 1.
    package let index: Int
    /// How many there are.
    package let count: Int
    /// Whether it does what one shard does alone. The natural order counts there and nowhere else.
    package let isHome: Bool

    package init(_ index: Int, of count: Int, isHome: Bool) {
      refuse(
        if: !(1...max(1, count)).contains(index), "there is no shard \(index) of \(count); name one from 1 on"
      )
      self.index = index
      self.count = count
      self.isHome = isHome
    }

    /// The number of the first schedule of a round.
    static func start(ofRound round: Int) -> Int { 1 + (round - 1) * Explorer.roundSize }

    /// How many schedules of a budget are its own, the natural order included, which teaches it.
    func share(of budget: Int) -> Int {
      1
        + stride(from: index, through: budget / Explorer.roundSize + 1, by: count).reduce(0) { sum, round in
          sum + max(0, min(Explorer.roundSize, budget - Self.start(ofRound: round)))
        }
    }

    /// Whether nothing of a search falls to it.
    func isIdle(in explorer: Explorer) -> Bool {
      let coversAlone = explorer.strategy is any Strategies.Covering
      return !isHome && (coversAlone || Self.start(ofRound: index) >= explorer.budget.schedules)
    }
  }
}

/// The numbers of a search's executions, and which of them count here. Where the search is not divided a number is how many
/// have counted before.
struct Numbering {
  /// The part of the search that this is; nil where it is the whole.
  let shard: Explorer.Shard?
  private let budget: Int
  /// How much higher the number of the next execution is than the number of those that have counted.
  fileprivate(set) var passedOver = 0
  /// No execution has this number.
  fileprivate(set) var end: Int
  /// The next number of what one shard does alone.
  fileprivate var alone: Int
  /// The next round of the shard.
  fileprivate var round: Int
  fileprivate var isInRound = false

  /// The numbers of what `explorer` runs.
  init(_ explorer: Explorer) {
    shard = explorer.strategy is any Strategies.Covering ? nil : explorer.shard
    budget = explorer.budget.schedules
    end = budget
    alone = budget
    round = shard?.index ?? 0
  }

  /// Whether an execution counts. The natural order is every shard's, and counts in one.
  fileprivate var counts: Bool { shard.map { $0.isHome || isInRound } ?? true }

  /// Whether what is not drawn by chance is done here.
  var isHome: Bool { shard?.isHome ?? true }

  /// How many schedules a strategy may have that comes next.
  func left(after number: Int, covering: Bool) -> Int {
    guard let shard, !covering else { return end - number }
    return shard.share(of: budget)
  }
}

// MARK: - The search of a shard

extension Search {
  /// The number of the next execution.
  var number: Int { report.schedules + numbering.passedOver }

  /// Counts an execution, if it counts here; the next one has the next number in any case.
  mutating func count(_ outcome: Runner.Outcome) {
    if numbering.counts { report.count(outcome) } else { numbering.passedOver += 1 }
    explorer.recorder?.number = number
  }

  /// Counts an execution that the round does not know of.
  mutating func countBesides(_ outcome: Runner.Outcome) {
    count(outcome)
    if numbering.shard != nil { numbering.passedOver -= 1 }
  }

  private mutating func go(to number: Int, before end: Int) {
    go(to: number)
    numbering.end = end
  }

  /// The next execution has this number, however many have counted.
  mutating func go(to number: Int) {
    numbering.passedOver = number - report.schedules
    explorer.recorder?.number = number
  }

  /// What comes next is done by this shard alone.
  mutating func beginAlone() {
    if numbering.shard != nil { go(to: numbering.alone, before: 2 * explorer.budget.schedules) }
  }

  /// What comes next is divided among all shards.
  mutating func beginShare() {
    guard numbering.shard != nil else { return }
    numbering.alone = number
    go(to: 0, before: explorer.budget.schedules)
  }

  /// Does between two schedules of a round what this shard does alone.
  mutating func alone(_ body: (inout Search) -> Void) {
    guard numbering.shard != nil else { return body(&self) }
    let (before, end) = (number, numbering.end)
    beginAlone()
    body(&self)
    numbering.alone = number
    go(to: before, before: end)
  }

  /// The natural order, from which each shard learns, and then the rounds of this one. A round that was left for another
  /// level of steps begins anew.
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
