internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

extension Shrinker {
  /// A schedule that has been tried, with each choice after its last deviation.
  struct Root {
    let schedule: Schedule
    let landmarks: [Landmark]
    let first: Int
    fileprivate let choices: [OpenChoice]

    /// The number of schedules that have one more deviation, after the last.
    var children: Int { choices.reduce(0) { $0 + Int($1.options) - 1 } }
  }

  /// A choice that another deviation could be put at.
  fileprivate struct OpenChoice {
    let kind: Schedule.Choice.Kind
    let options: Int32
  }

  /// Tries all schedules with 0, 1, 2 … deviations, level by level. Stops when a level has no fewer deviations than the best,
  /// or when no more than `reserve` executions would be left.
  mutating func searchFewer(_ reserve: Int) {
    if roots.isEmpty {
      guard best.size.deviations > 0, let natural = trials.run(.positions(.natural)) else { return }
      keep(natural)
      tried = [1]
      roots = [root(natural)]
    }
    while hasFewer {
      let next = schedulesOfNextLevel
      guard next <= trials.left - reserve else { return }
      searchNearBest(reserve + next)
      guard hasFewer, let children = tryAll(below: roots, reserve) else { return }
      tried.append(children.count)
      roots = children
    }
  }

  /// True if there is a level with fewer deviations than the best that has not been tried completely. One deviation is tried
  /// everywhere even if the best has no more, because another may show the violation earlier.
  private var hasFewer: Bool {
    best.size.deviations > 0 && exhausted < max(best.size.deviations, 2)
  }

  private var schedulesOfNextLevel: Int { roots.reduce(0) { $0 + $1.children } }

  /// Tries some schedules of the next level, which has too many to try all.
  mutating func searchSome(_ reserve: Int) {
    guard !roots.isEmpty, hasFewer else { return }
    searchNearBest(reserve)
    replaceActions(reserve)
    sample(reserve + (trials.left - reserve) / 4)
  }

  /// Tries some schedules of the next level before all of them: those below roots whose deviations resemble some of the
  /// best's, only at other places. First tries the values that the best has too, because a cancel that comes at the right
  /// moment needs no slow reply to be in time. Then tries anything, below roots that have only deviations of the best. Then
  /// tries any other value.
  private mutating func searchNearBest(_ reserve: Int) {
    let landmarks = best.landmarks
    let values = Set(
      best.met.filter { $0.kind != .order }.map { Decided(kind: $0.kind, taken: $0.deviation.taken) })
    let like = roots.filter {
      !$0.landmarks.isEmpty && $0.landmarks.allSatisfy { $0.isLike(anyOf: landmarks) }
    }
    let same = like.filter { $0.landmarks.allSatisfy(landmarks.contains) }
    searchNearBest(below: like, reserve, where: values.contains)
    searchNearBest(below: same, reserve) { _ in true }
    searchNearBest(below: like, reserve) { $0.kind != .order && !values.contains($0) }
  }

  /// Tries the wanted schedules until the best has no more deviations than they have.
  private mutating func searchNearBest(below roots: [Root], _ reserve: Int, where isWanted: (Decided) -> Bool)
  {
    for root in roots where best.size.deviations > exhausted {
      guard tryAll(below: [root], reserve, where: isWanted) != nil else { return }
    }
  }

  /// Leaves out every deviation in the order of steps, and puts the best's anytime actions at random moments, most often in
  /// their present order. A step that is held back for long is a deviation at each choice until it runs. An action that comes
  /// a little later has the same effect with one deviation.
  private mutating func replaceActions(_ reserve: Int) {
    var kept: [Landmark] = []
    var actions: [Int] = []
    for landmark in best.landmarks {
      switch landmark {
      case .action(let action, _): actions.append(action)
      case .value, .timer: kept.append(landmark)
      case .order: break
      }
    }
    guard !actions.isEmpty, kept.count + actions.count < best.size.deviations,
      let moments = trials.run(.landmarks(kept))?.moments, !moments.isEmpty
    else { return }
    var random = Strategies.SplitMix64(state: UInt64(moments.count))
    for attempt in 0..<(trials.left - reserve) / 2 where best.size.deviations > kept.count + actions.count {
      let places = actions.map { _ in random.below(moments.count) }.sorted()
      let order = attempt % 4 == 3 ? actions.shuffled(using: &random) : actions
      let placed = zip(order, places).map { Landmark.action($0, before: moments[$1]) }
      keep(trials.run(.landmarks(kept + placed)))
    }
  }

  /// Tries random schedules with one or two more deviations than the roots have.
  private mutating func sample(_ reserve: Int) {
    var random = Strategies.SplitMix64(state: UInt64(roots.count))
    let totals = roots.map(\.children)
    let total = schedulesOfNextLevel
    guard total > 0 else { return }
    while trials.left > reserve, best.size.deviations > exhausted {
      var ticket = random.below(total)
      var index = 0
      while ticket >= totals[index] {
        ticket -= totals[index]
        index += 1
      }
      guard let trial = tryOne(below: roots[index], ticket) else { return }
      guard best.size.deviations > exhausted + 1, random.below(3) == 0 else { continue }
      let child = root(trial)
      if child.children > 0 { _ = tryOne(below: child, random.below(child.children)) }
    }
  }

  /// Tries the schedule with number `ticket` among those with one more deviation than `root`; nil if nothing is left to spend.
  private mutating func tryOne(below root: Root, _ ticket: Int) -> Trials.Trial? {
    var rest = ticket
    var index = 0
    while rest >= Int(root.choices[index].options) - 1 {
      rest -= Int(root.choices[index].options) - 1
      index += 1
    }
    let deviation = Schedule.Deviation(
      position: root.first + index, taken: rest + 1, options: Int(root.choices[index].options))
    let trial = trials.run(.positions(Schedule(deviations: root.schedule.deviations + [deviation])))
    keep(trial)
    return trial
  }

  /// The decision made at a choice, wherever it was.
  private struct Decided: Hashable {
    let kind: Schedule.Choice.Kind
    let taken: Int
  }

  /// Tries every wanted schedule with one more deviation than `roots` have. Returns nil if there are not enough executions
  /// left.
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
      schedule: schedule, landmarks: trial.landmarks, first: first,
      choices: trial.execution.choices.dropFirst(first).map {
        OpenChoice(kind: $0.kind, options: Int32(clamping: $0.optionsInOrder))
      })
  }
}
