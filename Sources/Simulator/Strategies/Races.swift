/// The steps of one execution, which of them come before which in every equal order, and where two race.
struct Races: Sendable {
  /// Stands for the passing of time among the tasks.
  static let time: UInt64 = 1
  /// The *anytime* actions are numbered from here on.
  static let firstAction: UInt64 = 2

  private struct Step {
    let task: UInt64
    var footprint: Footprint
    /// The step that made it possible, or -1.
    let maker: Int
    /// The steps that put it off although it was possible.
    let delays: ContiguousArray<Int>
    var choices: ContiguousArray<Int32> = []
    /// The steps that come before it, a bit each.
    var before: ContiguousArray<UInt64> = []
  }

  private var steps: ContiguousArray<Step> = []

  /// An execution begins that repeats the first `count` steps of the last.
  mutating func began(keeping count: Int) {
    if steps.count > count { steps.removeLast(steps.count - count) }
  }

  mutating func began(
    _ task: UInt64, _ footprint: Footprint, maker: Int, delays: ContiguousArray<Int>, at index: Int
  ) {
    running = index
    guard index == steps.count else { return }
    steps.append(Step(task: task, footprint: footprint, maker: maker, delays: delays))
  }

  private var running = -1

  mutating func touched(_ object: SharedObject, _ access: SharedObject.Access) {
    guard running >= 0, running == steps.count - 1 else { return }
    steps[running].footprint.add(object, access)
  }

  func footprint(of index: Int) -> Footprint { steps[index].footprint }

  /// What was chosen within a step.
  mutating func choose(_ choices: ContiguousArray<Int32>, at index: Int) { steps[index].choices = choices }

  /// Calls `race` for every race whose later step is number `first` or a later one, with the number of its earlier
  /// step and with the sequence that runs the later one ahead of it.
  mutating func ended(from first: Int, race: (PlannedSequence, Int) -> Void) {
    running = -1
    var found: [(earlier: Int, later: Int)] = []
    for index in first..<max(first, steps.count) {
      for earlier in order(index) where isReversible(earlier, index) { found.append((earlier, index)) }
    }
    for (earlier, later) in found { race(sequence(earlier, later), earlier) }
  }

  /// Finds out what comes before step `index`, and answers the steps that race with it.
  private mutating func order(_ index: Int) -> [Int] {
    var before = ContiguousArray<UInt64>(repeating: 0, count: index >> 6 + 1)
    var raced: [Int] = []
    if let own = steps[..<index].lastIndex(where: { $0.task == steps[index].task }) {
      include(own, in: &before)
    }
    if steps[index].maker >= 0, steps[index].maker < index { include(steps[index].maker, in: &before) }
    for earlier in stride(from: index - 1, through: 0, by: -1) {
      if before[earlier >> 6] >> UInt64(earlier & 63) & 1 == 0,
        steps[earlier].footprint.conflicts(with: steps[index].footprint)
      {
        if !steps[earlier].footprint.isAwaited(by: steps[index].footprint) { raced.append(earlier) }
        include(earlier, in: &before)
      }
      // Behind whatever comes after everything there is nothing left to race with.
      if steps[earlier].footprint.isBarrier { break }
    }
    steps[index].before = before
    for step in steps[index].delays where !raced.contains(step) { raced.append(step) }
    return raced
  }

  private func include(_ step: Int, in before: inout ContiguousArray<UInt64>) {
    for word in steps[step].before.indices { before[word] |= steps[step].before[word] }
    before[step >> 6] |= 1 << UInt64(step & 63)
  }

  private func comes(_ earlier: Int, before later: Int) -> Bool {
    steps[later].before[earlier >> 6] >> UInt64(earlier & 63) & 1 == 1
  }

  /// Whether the later of two racing steps could have run at the moment of the earlier. Time passes only when nothing
  /// else can.
  private func isReversible(_ earlier: Int, _ later: Int) -> Bool {
    if steps[later].task == Self.time { return isAction(earlier) }
    if steps[earlier].task == Self.time { return isAction(later) }
    return true
  }

  private func isAction(_ index: Int) -> Bool {
    steps[index].task >= Self.firstAction && steps[index].task < Self.firstAction + 1 << 16
  }

  /// What does not come after `earlier`, and then `later`.
  private func sequence(_ earlier: Int, _ later: Int) -> PlannedSequence {
    var sequence = PlannedSequence()
    for index in earlier + 1..<steps.count where index != later && !comes(earlier, before: index) {
      sequence.append(planned(index, isLate: false), number: index)
    }
    sequence.append(planned(later, isLate: true), number: later)
    return sequence
  }

  private func planned(_ index: Int, isLate: Bool) -> PlannedStep {
    let step = steps[index]
    var before: Set<Int> = []
    for earlier in 0..<index where comes(earlier, before: index) { before.insert(earlier) }
    return PlannedStep(
      task: step.task, choices: step.choices, footprint: isLate ? nil : step.footprint, before: before)
  }
}
