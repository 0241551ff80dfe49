internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

// Memory accesses that the program reports, and the order of the tasks that make them.
//
// The hooks keep a vector clock for each task, and for each lock, atomic and domain. Two accesses that no clock orders are a
// *suspicion*, and make steps preemptible. `Search+Races` then makes sure: it turns the two places in the code into access
// points, repeats the choices of the execution that showed them, preempts the first step before its access, and runs all others
// (`BesideParked`). The race is reported if another step comes to the same memory meanwhile, and not otherwise: no clock has to
// be right for that. The places are part of the schedule, as a hash of the function's name and an offset.

extension Scheduler {
  func followAccesses() {
    chooser.followOrder(limits.followsAccesses)
    guard limits.followsAccesses else { return }
    unsafe ch_follow_accesses(hooks, limits.hasWeakMemory)
    let points = limits.accessPoints.map { ch_code_point(function: $0.function, offset: $0.offset) }
    unsafe points.withUnsafeBufferPointer { unsafe ch_set_access_points(hooks, $0.baseAddress, $0.count) }
    if let sought = limits.sought { unsafe ch_seek_access(hooks, sought.number) }
  }

  private var pairs: [ch_suspicion] {
    guard limits.followsAccesses else { return [] }
    return unsafe [ch_suspicion](unsafeUninitializedCapacity: 32) { buffer, count in
      if let base = buffer.baseAddress { count = unsafe ch_suspicions(hooks, base, 32) }
    }
  }

  /// Sentences about the pairs of accesses that only relaxed atomics keep apart. No schedule brings the two together, and some
  /// machines let the second overtake the first all the same.
  var warningsOfRelaxedOrder: [String] {
    pairs.filter(\.is_relaxed).map { pair in
      let (first, second) = (
        ParkedSteps.Access(address: 0, size: 0, writes: pair.writes.0, place: pair.places.0),
        ParkedSteps.Access(address: 0, size: 0, writes: pair.writes.1, place: pair.places.1)
      )
      let words = [first, second].map { access in
        (["a step \(access.verb)"] + place(of: access).prefix(1).map(\.description)).joined(separator: " at ")
      }
      return
        "a data race, unless something else orders the two: \(words[0]), then \(words[1]), and only a relaxed atomic is in "
        + "between, which orders nothing else; store it with `.releasing` and load it with `.acquiring`"
    }
  }

  /// The pairs of accesses for which no order is known.
  var suspicions: [SuspectedRace] {
    pairs.map {
      SuspectedRace(
        first: .init(function: $0.first.function, offset: $0.first.offset),
        second: .init(function: $0.second.function, offset: $0.second.offset), number: $0.number)
    }
  }

  /// Returns true if the running step is about to access, or to free, memory that a parked step is about to access: no
  /// lock and no order of any kind keeps the two apart. After a race, the program's behavior is undefined, so the
  /// execution is over and the step must be abandoned at once.
  func races(_ access: ParkedSteps.Access) -> Bool {
    guard !state.isCut,
      let other = tables.parked.steps.first(where: { $0.access?.races(with: access) == true })
    else { return false }
    violates(access, other)
    state.hasRaced = true
    state.isCut = true
    return true
  }

  /// Decides whether to preempt the running step at this preemption point, just before it accesses memory.
  func atAccess(_ access: ParkedSteps.Access, isSought: Bool) {
    guard !state.isChaining, unsafe state.chained == nil, unsafe ch_can_park(hooks), othersCanRun else {
      return
    }
    if isSought, let sought = limits.sought {
      chooser.record(.access, 2, 1)
      sought.parked = state.nextID
      park(keepingPlace: true, accessing: access)
    } else if chooser.choose(.access, options: 2) == 1 {
      park(keepingPlace: true, accessing: access)
    }
  }

  private func violates(_ access: ParkedSteps.Access, _ other: ParkedSteps.Step) {
    let name = Invariant.BuiltIn.dataRace
    guard let first = other.access else { return }
    let sentences = [
      sentence(other.frame.task, first, other.stack), sentence(currentTask, access, placesOfStep),
    ]
    monitors.violated(
      name,
      "two steps access the same memory at once, and nothing orders them: "
        + sentences.joined(separator: "; "),
      self)
  }

  private func sentence(_ task: Int32, _ access: ParkedSteps.Access, _ stack: [UInt]) -> String {
    let words = "task \(recorder.path(of: task, self)) \(access.verb)"
    guard recorder.keepsEvents else { return words }
    let places = (place(of: access) + Symbols.places(of: Array(stack.dropFirst())).flatMap { $0 }).prefix(3)
    return places.isEmpty ? words : words + " at " + places.map(\.description).joined(separator: " <- ")
  }
}

extension Scheduler {
  /// Returns the source location of the access. The compiler gives no line to the calls that report `inout` accesses,
  /// but the code after them has one.
  private func place(of access: ParkedSteps.Access) -> [Trace.CodePlace] {
    let function = ch_code_point_of(access.place).function
    let near = [access.place - 1] + (1...16).map { access.place + 4 * $0 }
    return near.lazy.filter { ch_code_point_of($0).function == function }
      .map { Symbols.places(of: [$0])[0] }.first { !$0.isEmpty } ?? []
  }
}

// MARK: - What orders tasks

extension Scheduler {
  /// Notes that everything `from` has done so far happens before everything `to` does from now on.
  func orders(_ from: Int32, _ to: Int32) {
    guard from >= 0, to >= 0 else { return }
    unsafe ch_order_tasks(hooks, UInt32(from), UInt32(to))
  }

  /// Notes that a step begins: everything that has run on its domain happened before.
  func orderOfStep(_ arrival: Arrival) {
    guard arrival.task >= 0, arrival.domain > Domains.pool else { return }
    unsafe ch_order_acquire(hooks, UInt32(arrival.task), ch_order_domain(UInt32(arrival.domain)))
  }

  func orderAtEndOfStep(_ arrival: Arrival) {
    guard arrival.task >= 0, arrival.domain > Domains.pool else { return }
    unsafe ch_order_release(hooks, UInt32(arrival.task), ch_order_domain(UInt32(arrival.domain)))
  }

  /// Orders the end of a child before what its parent does next, because the parent waits for it, or has waited. If the
  /// parent hasn't waited yet, this hides only races that another order shows.
  func orderOfEnd(_ task: Int32) {
    guard unsafe ch_is_child(tasks[task].address) else { return }
    orders(task, tasks[task].parent)
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_races(
  _ scheduler: UnsafeMutableRawPointer, _ address: UInt, _ size: UInt, _ writes: Bool, _ frees: Bool,
  _ place: UInt
) -> Bool {
  let access = ParkedSteps.Access(address: address, size: size, writes: writes, place: place, frees: frees)
  return unsafe Scheduler.with(scheduler) { $0.races(access) }
}

@c @implementation
func simulator_at_access(
  _ scheduler: UnsafeMutableRawPointer, _ address: UInt, _ size: UInt32, _ writes: Bool, _ place: UInt,
  _ isSought: Bool
) {
  let access = ParkedSteps.Access(address: address, size: UInt(size), writes: writes, place: place)
  unsafe Scheduler.with(scheduler) { $0.atAccess(access, isSought: isSought) }
}
