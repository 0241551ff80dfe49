internal import CConcurrencyHooks
internal import SimulatorCore

/// What steps touch that is neither memory nor a lock of the program's: whether a task is canceled, the buffer of a stream, an
/// object to which weak references refer, an object of Foundation's that is safe to use from anywhere.
///
/// Each touch is atomic, so a step that does nothing else may well be whole. But if a step touches such an object after it has
/// done something else, and a step of another place touches it too, that step may come in between: only preemptible steps
/// show it.
final class Meetings: ExecutionTable {
  typealias Side = ch_side

  /// Where steps have touched an object.
  private struct Places {
    private var first: UInt64?
    private var areSeveral = false

    mutating func add(_ place: UInt64) {
      if let first { areSeveral = areSeveral || first != place } else { first = place }
    }

    func areElsewhere(than place: UInt64) -> Bool { areSeveral || first.map { $0 != place } ?? false }
  }

  /// The touches of one side, and those of them between two things that a step does.
  private struct Touches {
    private var all = Places(), between = Places()

    mutating func add(_ place: UInt64, isBetween: Bool) {
      all.add(place)
      if isBetween { between.add(place) }
    }

    /// True if a touch of the other side at `place` may come between, or one of these between the step there.
    func meet(at place: UInt64, isBetween: Bool) -> Bool {
      (isBetween ? all : between).areElsewhere(than: place)
    }
  }

  private var looks: [UInt: Touches] = [:]
  private var changes: [UInt: Touches] = [:]
  private var lastStep: (UInt64, of: UInt64) = (0, 0)

  var isFresh: Bool { looks.isEmpty && changes.isEmpty }

  func removeAll() {
    guard !isFresh else { return }
    looks.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    lastStep = (0, 0)
  }

  /// Notes one touch of these objects by a step of `place`, which has done something else before if `hasActed`. Returns true if
  /// another step may come in between.
  func touched(
    _ objects: some Sequence<UInt>, as side: Side, at place: UInt64, inStep step: UInt64, hasActed: Bool
  ) -> Bool {
    let isBetween = hasActed || lastStep == (step, of: place)
    lastStep = (step, of: place)
    var meet = false
    for object in objects {
      if side != .looks {
        if looks[object]?.meet(at: place, isBetween: isBetween) == true { meet = true }
        changes[object, default: Touches()].add(place, isBetween: isBetween)
      }
      if side != .changes {
        if changes[object]?.meet(at: place, isBetween: isBetween) == true { meet = true }
        looks[object, default: Touches()].add(place, isBetween: isBetween)
      }
    }
    return meet
  }
}

extension Scheduler {
  /// A number of the running step's domain if steps of that domain never overlap, else one of its task.
  var placeOfStep: UInt64 {
    let frame = state.frame
    let isOfTask = frame.domain == Domains.pool
    return UInt64(UInt32(bitPattern: isOfTask ? frame.task : frame.domain)) << 1 | (isOfTask ? 1 : 0)
  }

  fileprivate func meets(_ objects: some Sequence<UInt>, as side: Meetings.Side) -> Bool {
    tables.meetings.touched(
      objects, as: side, at: placeOfStep, inStep: UInt64(state.steps),
      hasActed: state.nextID > state.frame.firstID)
  }

  /// Notes that the running step asks whether its task is canceled: by a cancel of its own, of its parents, or of a group.
  ///
  /// Only a step of the global executor counts: what computes for long is there. An actor's steps are short and ask often, and with
  /// preemptible steps the search would need more schedules for what they do wrong as wholes.
  fileprivate func meetsCancel(of task: UnsafeMutableRawPointer) -> Bool {
    guard state.frame.domain == Domains.pool else { return false }
    var objects: [UInt] = []
    var next: UnsafeMutableRawPointer? = unsafe task
    while let task = unsafe next {
      objects.append(unsafe ch_cancel_of(task))
      let index = unsafe taskIndex(of: task)
      guard unsafe ch_is_child(task), index >= 0, tasks[index].parent >= 0 else { break }
      if unsafe ch_is_group_child(task) { objects.append(ch_cancels_of_groups) }
      unsafe next = tasks[tasks[index].parent].address
    }
    return meets(objects, as: .looks)
  }

  /// Notes that the running step makes something runnable elsewhere, which a change of something observed may have caused. An
  /// observer is called before the change: what it sets free may run before or after the change.
  func sawArrivalOfObserver(on domain: Int32) {
    let isElsewhere = domain == Domains.pool || domain != state.frame.domain
    if isElsewhere, ch_is_called_by_observation() { unsafe hooks.pointee.execution.shares = true }
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_meets(_ scheduler: UnsafeMutableRawPointer, _ object: UInt, _ side: ch_side) -> Bool {
  unsafe Scheduler.with(scheduler) { $0.meets(CollectionOfOne(object), as: side) }
}

@c @implementation
func simulator_meets_cancel(_ scheduler: UnsafeMutableRawPointer, _ task: UnsafeMutableRawPointer) -> Bool {
  unsafe Scheduler.with(scheduler) { unsafe $0.meetsCancel(of: task) }
}

@c @implementation
func simulator_changes_observed(_ scheduler: UnsafeMutableRawPointer) {
  unsafe Scheduler.with(scheduler) { $0.state.changesObservedAtStep = $0.state.steps }
}

@c @implementation
func simulator_place_of_step(_ scheduler: UnsafeMutableRawPointer) -> UInt64 {
  unsafe Scheduler.with(scheduler) { $0.placeOfStep }
}
