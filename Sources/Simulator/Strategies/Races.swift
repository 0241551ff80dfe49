/// The steps of one execution, which of them come before which in every equal order, and where two race.
///
/// What belongs to a step stands together in one array for all of them; nothing is allocated for each.
struct Races: Sendable {
  /// Stands for the passing of time among the tasks.
  static let time: UInt64 = 1
  /// The *anytime* actions are numbered from here on.
  static let firstAction: UInt64 = 2

  struct Step {
    let task: UInt64
    /// The name of its domain; 0 for the pool.
    let place: UInt64
    /// The step that made it possible, or -1.
    let maker: Int
    /// Whether it has everything in common with every other step.
    var isBarrier: Bool
    /// Whether it has done nothing but look whether what it waits for is there: it has nothing in common with any other
    /// step, and may as well be part of its task's next one.
    var isSilent = false
    /// Whether it is the rest of a step that has stood, and not its beginning.
    let isRest: Bool
    /// The bits of its dependencies.
    var bits: UInt64 = 0
    let dependencies: Int
    var dependenciesEnd: Int
    let delays: Int
    var delaysEnd: Int
    /// The first word of the steps that come before it.
    let before: Int
  }

  private(set) var steps: ContiguousArray<Step> = []
  private(set) var dependencies: ContiguousArray<Dependency> = []
  /// The steps that put another off although it was possible.
  private(set) var delays: ContiguousArray<Int> = []
  /// For each step those that come before it, a bit each.
  private var before: ContiguousArray<UInt64> = []
  /// What was chosen within steps, where anything was.
  private var choices: [Int: ContiguousArray<Int32>] = [:]
  private var running = -1
  /// Whether steps that were run again have used other objects than the first time, as far as their numbers tell.
  private(set) var isInconsistent = false
  /// The races of the last execution that are news.
  private(set) var found: ContiguousArray<(earlier: Int, later: Int)> = []

  /// An execution begins that repeats the first `count` steps of the last.
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

  /// Step `index` begins, a step of `task` on the domain `place` that step `maker` made possible. A barrier
  /// has everything in common with every other step.
  mutating func began(
    _ task: UInt64, on place: UInt64, maker: Int, isBarrier: Bool = false, isRest: Bool = false, at index: Int
  ) {
    running = index
    guard index == steps.count else { return }
    // What makes another step possible must be run before it.
    if maker >= 0, maker < index { steps[maker].isSilent = false }
    let before = steps.last.map { $0.before + Self.words(index - 1) } ?? 0
    steps.append(
      Step(
        task: task, place: place, maker: maker, isBarrier: isBarrier, isRest: isRest,
        dependencies: dependencies.count, dependenciesEnd: dependencies.count, delays: delays.count,
        delaysEnd: delays.count, before: before))
  }

  /// The running step was put off by step `step` although it was possible.
  mutating func delayed(by step: Int) {
    guard isRecording else { return }
    delays.append(step)
    steps[running].delaysEnd += 1
  }

  mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.SharedObject.Access) {
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

  /// A step is run again and uses what has no lasting name. It should have the number that it had.
  private mutating func check(_ object: Strategies.SharedObject) {
    guard running >= 0, !object.lasts else { return }
    let (step, key) = (steps[running], object.key)
    let isKnown = dependencies[step.dependencies..<step.dependenciesEnd].contains { $0.object == key }
    if !isKnown { isInconsistent = true }
  }

  /// The running step turns out to be silent.
  private mutating func silence() {
    dependencies.removeLast(dependencies.count - steps[running].dependencies)
    steps[running].dependenciesEnd = steps[running].dependencies
    steps[running].bits = 0
    steps[running].isSilent = true
  }

  /// Whether what the running step does is not known yet.
  private var isRecording: Bool { running >= 0 && running == steps.count - 1 }

  /// The words that hold a bit for each step before step `index`.
  static func words(_ index: Int) -> Int { index >> 6 + 1 }
}

// MARK: - What a step was

extension Races {
  func task(of index: Int) -> UInt64 { steps[index].task }

  /// What was chosen within a step.
  func choices(of index: Int) -> ContiguousArray<Int32> { choices.isEmpty ? [] : choices[index] ?? [] }

  mutating func choose(_ chosen: ContiguousArray<Int32>, at index: Int) { choices[index] = chosen }

  func footprint(of index: Int) -> Footprint {
    let step = steps[index]
    return Footprint(
      place: step.place, isBarrier: step.isBarrier,
      dependencies: ContiguousArray(dependencies[step.dependencies..<step.dependenciesEnd]), bits: step.bits)
  }

  /// Whether the order of a step and one of this footprint can make a difference.
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

  /// Whether it takes a look to know that two steps have nothing in common.
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

  /// Whether `later`, which cannot have come first, waited for `earlier` as one of several.
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

// MARK: - What comes before what

extension Races {
  /// Finds the races whose later step is number `first` or a later one before `end`.
  mutating func ended(from first: Int, upTo end: Int) {
    running = -1
    found.removeAll(keepingCapacity: true)
    guard first < steps.count else { return }
    before.removeLast(max(0, before.count - steps[first].before))
    for index in first..<steps.count { order(index, reportsRaces: index < end) }
  }

  /// Finds out what comes before step `index`, and which steps race with it.
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

  /// The step ahead of which `later` could have run, which races with `earlier`; nil where it could not. Where a step
  /// stands in its middle, no other runs on its domain, and no action happens: then that is its beginning.
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

  /// Whether step `earlier` comes before step `later` in every equal order.
  func comes(_ earlier: Int, before later: Int) -> Bool {
    before[steps[later].before + earlier >> 6] >> UInt64(earlier & 63) & 1 == 1
  }

  /// Whether the later of two racing steps could have run at the moment of the earlier. Time passes only when
  /// nothing else can.
  private func isReversible(_ earlier: Int, _ later: Int) -> Bool {
    if steps[later].task == Self.time { return isAction(earlier) }
    if steps[earlier].task == Self.time { return isAction(later) }
    return true
  }

  private func isAction(_ index: Int) -> Bool {
    steps[index].task >= Self.firstAction && steps[index].task < Self.firstAction + 1 << 16
  }

  /// What does not come after `earlier`, and then `later`.
  func sequence(_ earlier: Int, _ later: Int) -> PlannedSequence {
    var numbers: ContiguousArray<Int> = []
    numbers.reserveCapacity(steps.count - earlier)
    // What is silent need not be run on its own, except where time is to pass, which does when nothing else can run.
    let keepsSilent = steps[later].task == Self.time
    for index in earlier + 1..<steps.count
    where index != later && !comes(earlier, before: index) && (keepsSilent || !steps[index].isSilent) {
      numbers.append(index)
    }
    numbers.append(later)
    return PlannedSequence(numbers: numbers)
  }
}
