/// Makes the schedule of a violation smaller: to the fewest deviations from the natural order, then to the fewest
/// steps up to the violation.
///
/// Three phases, each of which stops when the executions allowed are spent: deviations are left out, first many at
/// once, then one at a time (delta debugging; Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input,
/// IEEE TSE 2002); all schedules with 0, 1, 2 … deviations are tried for as long as that is fewer than the best has,
/// those near the best first, which finds the fewest or proves them, and where that is too many, the best's anytime
/// actions at other moments; and what is left is moved to neighbouring choices and lower options.
struct Shrinker {
  private var trials: Trials
  private var best: Trials.Trial
  private let found: Execution
  /// All schedules with fewer deviations than this have been tried.
  private var exhausted: Int { tried.count }
  /// How many schedules there are with 0, 1, 2 … deviations.
  private var tried: [Int] = []

  /// What shrinking led to.
  struct Result {
    let trial: Trials.Trial
    let minimality: Shrinking.Minimality
    let executions: Int
  }

  /// A shrinker for `invariant`, violated by `found`, that runs at most `limit` executions on `runner`; nil when the
  /// schedule does not show the violation again.
  init?(
    _ runner: Runner, _ found: Execution, invariant: String, number: Int, seed: UInt64, limit: Int
  ) {
    trials = Trials(runner, invariant: invariant, number: number, seed: seed, limit: limit)
    self.found = found
    guard let first = trials.run(.positions(found.schedule)), first.isWanted else { return nil }
    best = first
  }

  /// A shrinker for a schedule under which `invariant` holds: whoever ran last goes on for as long as it can; nil when it
  /// does not hold then.
  init?(passing runner: Runner, _ failing: Execution, invariant: String, seed: UInt64, limit: Int) {
    trials = Trials(
      runner, invariant: invariant, number: 0, seed: seed, limit: limit, wantsViolation: false)
    found = failing
    guard let first = trials.run(.oneAfterTheOther), first.isWanted else { return nil }
    best = first
  }

  /// Only leaves out, and answers with what is left.
  mutating func reduced() -> Schedule {
    leaveOut()
    return best.execution.schedule
  }

  /// Shrinks.
  mutating func shrink() -> Result {
    leaveOut()
    tryFewer()
    if exhausted < best.size.deviations || best.size.deviations > 1 { move() }
    let deviations = best.size.deviations
    return Result(
      trial: best,
      minimality: exhausted >= deviations
        ? .proved(tried: tried.prefix(deviations).reduce(0, +))
        : .exhausted(below: exhausted, tried: tried.reduce(0, +)),
      executions: trials.executions)
  }

  /// Keeps `trial` if it is smaller than the best.
  @discardableResult
  private mutating func keep(_ trial: Trials.Trial?) -> Bool {
    guard let trial, trial.isWanted, trial.size < best.size else { return false }
    best = trial
    return true
  }
}

// MARK: - Leaving out

extension Shrinker {
  private mutating func leaveOut() {
    var length = best.met.count
    while length > 0, trials.left > 0 {
      let before = best.met.count
      leaveOut(length)
      if length == 1, best.met.count == before { return }
      length = min(max(1, length / 2), best.met.count)
    }
  }

  /// Leaves out each run of `length` deviations in turn.
  private mutating func leaveOut(_ length: Int) {
    var start = 0
    while start < best.met.count, trials.left > 0 {
      var rest = best.met
      rest.removeSubrange(start..<min(start + length, rest.count))
      if !tryOnly(rest) { start += length }
    }
  }

  /// Whether these deviations are enough: where they were, or where they have moved to since others went.
  private mutating func tryOnly(_ deviations: [MetDeviation]) -> Bool {
    if keep(trials.replay(Schedule(deviations: deviations.map(\.deviation)))) { return true }
    guard !deviations.isEmpty else { return false }
    return keep(trials.run(.landmarks(deviations.map(\.landmark))))
  }
}

// MARK: - Trying all with fewer

extension Shrinker {
  /// A schedule that has been tried, with each choice behind its last deviation.
  private struct Root {
    let schedule: Schedule
    let landmarks: [Landmark]
    let first: Int
    let choices: [OpenChoice]

    /// How many schedules have one deviation more, behind the last.
    var children: Int { choices.reduce(0) { $0 + Int($1.options) - 1 } }
  }

  /// A choice that another deviation could be put at.
  private struct OpenChoice {
    let kind: Choice.Kind
    let options: Int32
  }

  private mutating func tryFewer() {
    // What is left over is for moving what remains.
    let reserve = trials.left / 8
    guard best.size.deviations > 0, let natural = trials.run(.positions(.natural)) else { return }
    keep(natural)
    tried = [1]
    var roots = [root(natural)]
    // One deviation is tried everywhere even when the best has no more: another may show the violation earlier.
    while exhausted < max(best.size.deviations, 2), best.size.deviations > 0 {
      let next = roots.reduce(0) { $0 + $1.children }
      let isAffordable = next <= trials.left - reserve
      hunt(roots, isAffordable ? reserve + next : reserve)
      if !isAffordable { scatter(reserve) }
      guard isAffordable, exhausted < max(best.size.deviations, 2), best.size.deviations > 0,
        let children = tryAll(below: roots, reserve)
      else { return }
      tried.append(children.count)
      roots = children
    }
  }

  /// Before all of them: tries those with one deviation more than the roots whose deviations are like some that the best
  /// has, only elsewhere. First the values that the best has too, because a cancel that comes at the right moment needs
  /// no slow reply to be still in time; then, below the very deviations of the best, anything; then any other value.
  private mutating func hunt(_ roots: [Root], _ reserve: Int) {
    let landmarks = best.met.map(\.landmark)
    let values = Set(
      best.met.filter { $0.kind != .order }.map { Decided(kind: $0.kind, taken: $0.deviation.taken) })
    let like = roots.filter {
      !$0.landmarks.isEmpty && $0.landmarks.allSatisfy { $0.isLike(anyOf: landmarks) }
    }
    let same = like.filter { $0.landmarks.allSatisfy(landmarks.contains) }
    hunt(below: like, reserve, where: values.contains)
    hunt(below: same, reserve) { _ in true }
    hunt(below: like, reserve) { $0.kind != .order && !values.contains($0) }
  }

  /// Tries the wanted ones until the best has no more deviations than they.
  private mutating func hunt(below roots: [Root], _ reserve: Int, where isWanted: (Decided) -> Bool) {
    for root in roots where best.size.deviations > exhausted {
      guard tryAll(below: [root], reserve, where: isWanted) != nil else { return }
    }
  }

  /// All are too many: leaves out every deviation in the order of steps, and puts the anytime actions that the best has
  /// at random moments, most often in the order they have now. A step held back for long is a deviation at each choice
  /// until it runs; an action that comes a little later does the same in one.
  private mutating func scatter(_ reserve: Int) {
    var kept: [Landmark] = []
    var actions: [Int] = []
    for landmark in best.met.map(\.landmark) {
      switch landmark {
      case .action(let action, _): actions.append(action)
      case .value: kept.append(landmark)
      case .order: break
      }
    }
    guard !actions.isEmpty, kept.count + actions.count < best.size.deviations,
      let moments = trials.run(.landmarks(kept))?.moments, !moments.isEmpty
    else { return }
    var random = SplitMix64(state: UInt64(moments.count))
    for attempt in 0..<(trials.left - reserve) / 2 where best.size.deviations > kept.count + actions.count {
      let places = actions.map { _ in random.below(moments.count) }.sorted()
      let order = attempt % 4 == 3 ? actions.shuffled(using: &random) : actions
      let scattered = zip(order, places).map { Landmark.action($0, before: moments[$1]) }
      keep(trials.run(.landmarks(kept + scattered)))
    }
  }

  /// What was decided at a choice, wherever it was.
  private struct Decided: Hashable {
    let kind: Choice.Kind
    let taken: Int
  }

  /// Tries every wanted schedule with one deviation more than `roots` have, nil when the executions do not suffice.
  private mutating func tryAll(
    below roots: [Root], _ reserve: Int, where isWanted: (Decided) -> Bool = { _ in true }
  ) -> [Root]? {
    var children: [Root] = []
    for parent in roots {
      for (index, choice) in parent.choices.enumerated() {
        for taken in 1..<max(1, Int(choice.options))
        where isWanted(Decided(kind: choice.kind, taken: taken)) {
          let deviation = Schedule.Deviation(
            position: parent.first + index, taken: taken, options: Int(choice.options))
          guard trials.left > reserve,
            let trial = trials.run(.positions(Schedule(deviations: parent.schedule.deviations + [deviation])))
          else { return nil }
          keep(trial)
          children.append(root(trial))
        }
      }
    }
    return children
  }

  private func root(_ trial: Trials.Trial) -> Root {
    let schedule = trial.execution.schedule
    let first = schedule.deviations.last.map { $0.position + 1 } ?? 0
    return Root(
      schedule: schedule, landmarks: trial.met.map(\.landmark), first: first,
      choices: trial.execution.choices.dropFirst(first).map {
        OpenChoice(kind: $0.kind, options: Int32(clamping: $0.options))
      })
  }
}

// MARK: - Moving

extension Shrinker {
  private mutating func move() {
    var index = 0
    while index < best.met.count, trials.left > 0 {
      if !moveDeviation(index) { index += 1 }
    }
  }

  /// Whether deviation `index` could be put to a neighbouring choice or a lower option.
  private mutating func moveDeviation(_ index: Int) -> Bool {
    let deviations = best.execution.schedule.deviations
    let choices = best.execution.choices
    let old = deviations[index]
    for position in [0, -1, 1, -2, 2, -3, 3].map({ old.position + $0 })
    where choices.indices.contains(position) {
      let isFree = position == old.position || !deviations.contains { $0.position == position }
      let highest = position == old.position ? old.taken : choices[position].options
      for taken in 1..<max(1, highest) where isFree {
        var moved = deviations
        moved[index] = .init(position: position, taken: taken, options: choices[position].options)
        moved.sort { $0.position < $1.position }
        if keep(trials.replay(Schedule(deviations: moved))) { return true }
      }
    }
    return false
  }
}
