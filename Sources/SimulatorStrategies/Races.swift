internal import SimulatorStrategyInterface

/// The steps of one execution, the order that they have in every equivalent execution, and the races between them.
///
/// The data of all steps is contiguous, in one array for each kind of data; no step has an allocation of its own.
struct Races: Sendable {
  /// The passing of time, as a task.
  static let time: UInt64 = 1
  /// The number of the first *anytime* action.
  static let firstAction: UInt64 = 2

  struct Step {
    let task: UInt64
    /// The name of its domain; 0 for the pool.
    let place: UInt64
    /// The step that made it possible, or -1.
    let maker: Int
    /// True if it has something in common with every other step.
    var isBarrier: Bool
    /// True if it has only checked whether something that it waits for is there. Then it has nothing in common with any
    /// other step, and may as well be part of its task's next step.
    var isSilent = false
    /// True if it continues a parked step, rather than beginning a step.
    let isRest: Bool
    /// The bits of its dependencies.
    var bits: UInt64 = 0
    let dependencies: Int
    var dependenciesEnd: Int
    let delays: Int
    var delaysEnd: Int
    /// The index of the first word of the steps that come before it.
    let before: Int
  }

  private(set) var steps: ContiguousArray<Step> = []
  private(set) var dependencies: ContiguousArray<Dependency> = []
  /// The steps that delayed another step that was already possible.
  private(set) var delays: ContiguousArray<Int> = []
  /// The steps that come before each step, one bit each.
  private var before: ContiguousArray<UInt64> = []
  /// The options chosen within steps, for those steps that had choices.
  private var choices: [Int: ContiguousArray<Int32>] = [:]
  private var running = -1
  /// True if repeated steps have used other objects than the first time, as far as the objects' numbers show.
  private(set) var isInconsistent = false
  /// The new races of the last execution.
  private(set) var found: ContiguousArray<(earlier: Int, later: Int)> = []

  /// Begins an execution that repeats the first `count` steps of the last one.
  mutating func began(keeping count: Int) {
    if !choices.isEmpty { choices.removeAll(keepingCapacity: true) }
    if steps.isEmpty {
      steps.reserveCapacity(64)
      dependencies.reserveCapacity(256)
      before.reserveCapacity(64)
    }
    guard steps.count > count else { return }
    dependencies.removeLast(dependencies.count - steps[count].dependencies)
    delays.removeLast(delays.count - steps[count].delays)
    steps.removeLast(steps.count - count)
  }

  /// Begins step `index`, a step of `task` on the domain `place` that step `maker` made possible. A barrier has
  /// something in common with every other step.
  mutating func began(
    _ task: UInt64, on place: UInt64, maker: Int, isBarrier: Bool = false, isRest: Bool = false, at index: Int
  ) {
    running = index
    guard index == steps.count else { return }
    // A step that makes another step possible must run before it.
    if maker >= 0, maker < index { steps[maker].isSilent = false }
    let before = steps.last.map { $0.before + Self.words(index - 1) } ?? 0
    steps.append(
      Step(
        task: task, place: place, maker: maker, isBarrier: isBarrier, isRest: isRest,
        dependencies: dependencies.count, dependenciesEnd: dependencies.count, delays: delays.count,
        delaysEnd: delays.count, before: before))
  }

  /// Notes that step `step` delayed the running step, which was already possible.
  mutating func delayed(by step: Int) {
    guard isRecording else { return }
    delays.append(step)
    steps[running].delaysEnd += 1
  }

  mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.Access) {
    guard isRecording else { return check(object) }
    guard object != .everything else { return steps[running].isBarrier = true }
    guard access != .waits else { return silence() }
    let dependency = Dependency(object: object.key, access: access, lasts: object.lasts)
    if steps[running].bits & dependency.bit != 0 {
      for index in steps[running].dependencies..<steps[running].dependenciesEnd
      where dependencies[index].object == dependency.object && dependencies[index].access == access {
        return
      }
    }
    dependencies.append(dependency)
    steps[running].dependenciesEnd += 1
    steps[running].bits |= dependency.bit
  }

  /// Checks an object without a lasting name, used by a repeated step. It should have the same number as the first
  /// time.
  private mutating func check(_ object: Strategies.SharedObject) {
    guard running >= 0, !object.lasts else { return }
    let (step, key) = (steps[running], object.key)
    let isKnown = dependencies[step.dependencies..<step.dependenciesEnd].contains { $0.object == key }
    if !isKnown { isInconsistent = true }
  }

  /// Notes that the running step is silent.
  private mutating func silence() {
    dependencies.removeLast(dependencies.count - steps[running].dependencies)
    steps[running].dependenciesEnd = steps[running].dependencies
    steps[running].bits = 0
    steps[running].isSilent = true
  }

  /// True if the accesses of the running step are not known yet.
  private var isRecording: Bool { running >= 0 && running == steps.count - 1 }

  /// Returns the number of words that hold a bit for each step before step `index`.
  static func words(_ index: Int) -> Int { index >> 6 + 1 }
}

// MARK: - Accesses of steps

extension Races {
  func task(of index: Int) -> UInt64 { steps[index].task }

  /// Returns the options chosen within a step.
  func choices(of index: Int) -> ContiguousArray<Int32> { choices.isEmpty ? [] : choices[index] ?? [] }

  mutating func choose(_ chosen: ContiguousArray<Int32>, at index: Int) { choices[index] = chosen }

  func footprint(of index: Int) -> Footprint {
    let step = steps[index]
    return Footprint(
      place: step.place, isBarrier: step.isBarrier,
      dependencies: ContiguousArray(dependencies[step.dependencies..<step.dependenciesEnd]), bits: step.bits)
  }

  /// Returns true if the order of a step and a step with this footprint can make a difference.
  func conflicts(_ index: Int, _ footprint: Footprint) -> Bool {
    let step = steps[index]
    if step.isBarrier || footprint.isBarrier { return true }
    if step.place != 0, step.place == footprint.place { return true }
    guard step.bits & footprint.bits != 0 else { return false }
    for index in step.dependencies..<step.dependenciesEnd {
      for dependency in footprint.dependencies where dependency.mayConflict(with: dependencies[index]) {
        return true
      }
    }
    return false
  }

  /// Returns true if the two steps must be compared in detail to know that they have nothing in common.
  @inline(__always)
  func mayConflict(_ one: Int, _ other: Step) -> Bool {
    steps[one].bits & other.bits != 0 || steps[one].isBarrier || other.isBarrier
      || other.place != 0 && steps[one].place == other.place
  }

  func conflict(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (steps[one], steps[other])
    if one.isBarrier || other.isBarrier { return true }
    if one.place != 0, one.place == other.place { return true }
    guard one.bits & other.bits != 0 else { return false }
    for index in one.dependencies..<one.dependenciesEnd {
      for another in other.dependencies..<other.dependenciesEnd
      where dependencies[index].conflicts(with: dependencies[another]) {
        return true
      }
    }
    return false
  }

  /// Returns true if `later`, which cannot have come first, waited for `earlier` as one of several.
  func isAwaited(_ earlier: Int, by later: Int) -> Bool {
    let (earlier, later) = (steps[earlier], steps[later])
    guard earlier.bits & later.bits != 0 else { return false }
    for index in earlier.dependencies..<earlier.dependenciesEnd {
      for another in later.dependencies..<later.dependenciesEnd
      where dependencies[another].object == dependencies[index].object {
        switch (dependencies[index].access, dependencies[another].access) {
        case (.joined, .read), (.exclusive, .awaited), (.added, .awaited): return true
        default: continue
        }
      }
    }
    return false
  }
}

// MARK: - Order of steps

extension Races {
  /// Finds the races whose later step is number `first` or a later one before `end`.
  mutating func ended(from first: Int, upTo end: Int) {
    running = -1
    found.removeAll(keepingCapacity: true)
    guard first < steps.count else { return }
    before.removeLast(max(0, before.count - steps[first].before))
    for index in first..<steps.count { order(index, reportsRaces: index < end) }
  }

  /// Finds the steps that come before step `index`, and those that race with it.
  private mutating func order(_ index: Int, reportsRaces: Bool) {
    let step = steps[index]
    for _ in 0..<Self.words(index) { before.append(0) }
    let firstFound = found.count
    if let own = previous(of: step.task, before: index) { include(own, before: index) }
    if step.maker >= 0, step.maker < index { include(step.maker, before: index) }
    var earlier = index - 1
    while earlier >= 0 {
      if mayConflict(earlier, step), !comes(earlier, before: index), conflict(earlier, index) {
        if !isAwaited(earlier, by: index), let earlier = reversed(earlier, index) {
          found.append((earlier, index))
        }
        include(earlier, before: index)
      }
      // A barrier comes after every step before it, so no earlier step is left to race with.
      if steps[earlier].isBarrier { break }
      earlier -= 1
    }
    for delay in delays[step.delays..<step.delaysEnd]
    where !found[firstFound...].contains(where: { $0.earlier == delay }) {
      found.append((delay, index))
    }
    if !reportsRaces {
      found.removeLast(found.count - firstFound)
    } else {
      var kept = firstFound
      for race in firstFound..<found.count where isReversible(found[race].earlier, index) {
        found[kept] = found[race]
        kept += 1
      }
      found.removeLast(found.count - kept)
    }
  }

  /// Returns the step before which `later`, which races with `earlier`, could have run; nil if there is none. While a
  /// step is parked, no other step runs on its domain, and no action happens. So for those, the result is the beginning
  /// of the parked step.
  private func reversed(_ earlier: Int, _ later: Int) -> Int? {
    guard steps[earlier].isRest else { return earlier }
    let place = steps[earlier].place
    guard place != 0 && place == steps[later].place || isAction(later) else { return earlier }
    var beginning = earlier
    while steps[beginning].isRest, let before = previous(of: steps[beginning].task, before: beginning) {
      beginning = before
    }
    return comes(beginning, before: later) ? nil : beginning
  }

  func previous(of task: UInt64, before index: Int) -> Int? {
    for earlier in stride(from: index - 1, through: 0, by: -1) where steps[earlier].task == task {
      return earlier
    }
    return nil
  }

  private mutating func include(_ step: Int, before index: Int) {
    let (from, to) = (steps[step].before, steps[index].before)
    for word in 0..<Self.words(step) { before[to + word] |= before[from + word] }
    before[to + step >> 6] |= 1 << UInt64(step & 63)
  }

  /// Returns true if step `earlier` comes before step `later` in every equivalent order.
  func comes(_ earlier: Int, before later: Int) -> Bool {
    before[steps[later].before + earlier >> 6] >> UInt64(earlier & 63) & 1 == 1
  }

  /// Returns true if the later of two racing steps could have run at the moment of the earlier one. Time passes only
  /// when nothing else can run.
  private func isReversible(_ earlier: Int, _ later: Int) -> Bool {
    if steps[later].task == Self.time { return isAction(earlier) }
    if steps[earlier].task == Self.time { return isAction(later) }
    return true
  }

  private func isAction(_ index: Int) -> Bool {
    steps[index].task >= Self.firstAction && steps[index].task < Self.firstAction + 1 << 16
  }

  /// Returns the steps after `earlier` that need not come after it, followed by `later`.
  func sequence(_ earlier: Int, _ later: Int) -> PlannedSequence {
    var numbers: ContiguousArray<Int> = []
    numbers.reserveCapacity(steps.count - earlier)
    // Silent steps need not run on their own, unless time is to pass, because it passes only when nothing else can run.
    let keepsSilent = steps[later].task == Self.time
    for index in earlier + 1..<steps.count
    where index != later && !comes(earlier, before: index) && (keepsSilent || !steps[index].isSilent) {
      numbers.append(index)
    }
    numbers.append(later)
    return PlannedSequence(numbers: numbers)
  }
}
