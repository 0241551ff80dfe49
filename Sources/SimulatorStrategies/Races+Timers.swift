internal import SimulatorStrategyInterface

extension Races {
  /// A timer for which a choice at a node decided whether it fires.
  package struct Timer: Hashable, Sendable {
    let node: Int
    /// The task that waits for it.
    let task: UInt64
    let earliest: VirtualInstant
    let latest: VirtualInstant

    init(node: Int, _ timer: Strategies.OpenTimer) {
      self.node = node
      task = timer.task
      earliest = timer.earliest
      latest = timer.latest
    }
  }

  /// Returns those of `timers` for which it can make a difference when they fire.
  ///
  /// This ignores the steps of time, which otherwise come before everything that follows them. A step comes before
  /// another only if the other is of the same task, was made by it, or has something in common with it. The moment at
  /// which a timer fires moves everything that its task does afterward, and everything that this makes possible. None
  /// of that shows unless one of those steps races with another, or looks at a clock. If it does, the moments at which
  /// time can stop matter too, so the timers that may fire meanwhile also count. O(steps squared).
  func racing(_ timers: ContiguousArray<Timer>) -> ContiguousArray<Timer> {
    var order = UntimedOrder(self, timers)
    for index in steps.indices where !order.unknown.isEmpty { order.add(index) }
    order.addStops()
    return order.racing
  }

  /// Returns true if the moment at which a step runs shows: in what a clock says, or in what invariants look at.
  fileprivate func showsTime(_ step: Step) -> Bool {
    let objects: [Strategies.SharedObject] = [.clock, .watched]
    return dependencies[step.dependencies..<step.dependenciesEnd].contains { dependency in
      objects.contains { $0.key == dependency.object }
    }
  }
}

private struct UntimedOrder {
  private let races: Races
  /// The steps that come before each step, one bit each.
  private var before: ContiguousArray<UInt64>
  /// The timers not known to make a difference, each with the first step that has waited for it.
  private(set) var unknown: ContiguousArray<(timer: Races.Timer, first: Int)> = []
  private(set) var racing: ContiguousArray<Races.Timer> = []

  init(_ races: Races, _ timers: ContiguousArray<Races.Timer>) {
    self.races = races
    let words = races.steps.last.map { $0.before + Races.words(races.steps.count - 1) } ?? 0
    before = ContiguousArray(repeating: 0, count: words)
    for timer in timers where !unknown.contains(where: { $0.timer == timer }) {
      if races.showsTime(races.steps[timer.node]) {
        racing.append(timer)
        continue
      }
      guard let first = races.steps[timer.node...].firstIndex(where: { $0.task == timer.task }) else {
        continue
      }
      if endsEarly(first) { racing.append(timer) } else { unknown.append((timer, first)) }
    }
  }

  /// Returns true if another task has ended the wait of step `index`, such as by a cancel: the timer might have come first.
  private func endsEarly(_ index: Int) -> Bool {
    let maker = races.steps[index].maker
    guard maker >= 0 else { return false }
    let task = races.steps[maker].task
    return task != Races.time && task != races.steps[index].task
  }

  /// Adds step `index` after the steps that come before it.
  mutating func add(_ index: Int) {
    let step = races.steps[index]
    guard step.task != Races.time else { return }
    if let own = races.previous(of: step.task, before: index) { include(own, before: index) }
    if step.maker >= 0, step.maker < index, races.steps[step.maker].task != Races.time {
      include(step.maker, before: index)
    }
    for earlier in stride(from: index - 1, through: 0, by: -1)
    where races.steps[earlier].task != Races.time && !comes(earlier, before: index)
      && races.mayConflict(earlier, step) && races.conflict(earlier, index)
    {
      if !races.isAwaited(earlier, by: index) { race(earlier, index) }
      include(earlier, before: index)
    }
    for delay in races.delays[step.delays..<step.delaysEnd] { race(delay, index) }
    if races.showsTime(step) { race(index, index) }
  }

  /// Adds the timers that can make time stop while another timer may fire whose moment makes a difference.
  mutating func addStops() {
    var index = 0
    while index < racing.count {
      let latest = racing[index].latest
      racing += unknown.lazy.map(\.timer).filter { $0.earliest <= latest }
      unknown.removeAll { $0.timer.earliest <= latest }
      index += 1
    }
  }

  private mutating func include(_ step: Int, before index: Int) {
    let (from, to) = (races.steps[step].before, races.steps[index].before)
    for word in 0..<Races.words(step) { before[to + word] |= before[from + word] }
    before[to + step >> 6] |= 1 << UInt64(step & 63)
  }

  private func comes(_ earlier: Int, before later: Int) -> Bool {
    earlier < later
      && before[races.steps[later].before + earlier >> 6] >> UInt64(earlier & 63) & 1 == 1
  }

  /// Notes that two steps race: every timer that either has waited for makes a difference.
  private mutating func race(_ one: Int, _ other: Int) {
    var index = 0
    while index < unknown.count {
      let (timer, first) = unknown[index]
      let counts =
        first == one || first == other || comes(first, before: one) || comes(first, before: other)
      if counts { racing.append(timer) }
      if counts { unknown.remove(at: index) } else { index += 1 }
    }
  }
}
