internal import CConcurrencyHooks
internal import CProcesses
internal import SimulatorCore

// Work that escapes to a thread that the simulation does not control, or comes back from one. The execution ends with
// the step, because what would happen after that is unknown.

extension Scheduler {
  /// Notes that the program has escaped by a call, in the step or the action that runs. `addresses` are return
  /// addresses.
  func left(by name: String, from addresses: [UInt]) {
    guard !hasEscaped, unsafe flight.pointee.tearing_down == 0 else { return }
    recorder.left("✗ leaves the simulation: \(name)", self)
    tables.escapes.left(Escapes.Call(name: name, addresses: addresses), at: moment)
    leaveOffEscaped()
  }

  /// Takes what foreign threads have left, after waiting at most `nanoseconds`, and runs none of it. Returns true if
  /// there was anything, or if the program escapes by waiting for a foreign thread.
  func takeForeign(waiting nanoseconds: Int64) -> Bool {
    let jobs = unsafe inbox.take(waiting: nanoseconds)
    let foreignTasks = inbox.foreignTasks
    guard unsafe !jobs.isEmpty || foreignTasks > 0 else { return leftByWaiting() }
    state.jobsFromOutside += unsafe jobs.count + foreignTasks
    let descriptions = unsafe recorder.keepsEvents ? jobs.prefix(4).map { unsafe describeEscape(of: $0) } : []
    tables.escapes.cameBack(descriptions, by: inbox.bringer, at: moment)
    leaveOffEscaped()
    return true
  }

  /// The real nanoseconds to wait for a foreign thread: 0 if this process has no threads but those of simulations.
  var patienceForOthers: Int64 {
    limits.patience > 0 && threadsThatMayHoldLocks() == 1 ? 0 : limits.patience
  }

  /// Notes an escape, and returns true, if a lost thread could still resume what the root waits for when nothing can
  /// run: then this is no deadlock. A copy of a process lacks the other threads that the process had.
  func waitsForLostThread() -> Bool {
    guard limits.waitsForOthers, ThreadBeside.lostCount > 0, let waiter = waiterForOthers else {
      return false
    }
    recorder.left("✗ waits for a thread that is older than the search", self)
    tables.escapes.waits(waiter, at: moment)
    leaveOffEscaped()
    return true
  }

  /// True if work has escaped in this execution.
  var hasEscaped: Bool { !tables.escapes.isFresh }

  private var moment: Escapes.Moment { Escapes.Moment(time: now, step: state.steps, digest: state.digest) }

  /// Stops the execution: nothing that happens from here on is recorded or judged.
  private func leaveOffEscaped() {
    state.isCut = true
    recorder.mute()
  }

  /// Undoes what the rest of the step changed after the work escaped.
  func endEscaped() {
    guard let moment = tables.escapes.moment else { return }
    moveTime(to: moment.time)
    state.digest = moment.digest
    state.frame = .none
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
  }

  /// Returns the text that reports the escape. Finding the places costs some hundred milliseconds, once per process.
  func describeEscape() -> String {
    if let waiter = tables.escapes.waiter { return describeWaitForLostThread(waiter) }
    guard let call = tables.escapes.call else {
      let jobs =
        "\(state.jobsFromOutside) job(s) came from a thread that the simulation does not control"
      let whose = tables.escapes.descriptions.joined(separator: "; ")
      let thread = tables.escapes.bringer.map { "; it is \($0.description)" } ?? ""
      return (whose.isEmpty ? jobs : jobs + ": " + whose) + thread + "; " + Exits.remedyOfJobs
    }
    let exit = Exits.row(of: call.name)
    let called = Symbols.places(of: call.addresses.map { $0 - 1 }).flatMap { $0 }
    // Not every library reveals its asynchronous callers. If there are none, the place is where the task went on.
    let places = called.isEmpty ? Symbols.places(ofStack: recorder.stackOfStep) : called
    let place = places.prefix(3).map(\.description).joined(separator: " <- ")
    let isExecutor = call.name == "TaskExecutor" || call.name == "SerialExecutor"
    let what = isExecutor ? "runs on an executor of its own, a" : "leaves the simulation by"
    return "the program \(what) \(call.name)" + (place.isEmpty ? "" : " at " + place)
      + (exit.map { ": \($0.effect); \($0.remedy)" } ?? "") + describeEnder(of: call)
  }

  /// Describes a thread outside the simulation that could end a wait for a signal.
  private func describeEnder(of call: Escapes.Call) -> String {
    guard Locks.Subject.calls.contains(call.name), let thread = ThreadBeside.lost.first else { return "" }
    return "; \(thread.description) is older than the search and could end the wait"
  }

  private func describeWaitForLostThread(_ waiter: Int32) -> String {
    let threads = ThreadBeside.lost.map { thread in
      thread.description + (thread.wait.map { ", which waits in \($0)" } ?? "")
    }
    let more = ThreadBeside.lostCount - threads.count
    let others = more > 0 ? ", and \(more) more" : ""
    return "the program waits for a thread that is older than the search: "
      + describeWait(of: waiter, withPlaces: true) + "; " + threads.joined(separator: "; ") + others
      + ", could still resume it, and no schedule decides when; " + Exits.remedyOfThreads
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_left(
  _ scheduler: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>,
  _ frames: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int32
) {
  let addresses = unsafe UnsafeBufferPointer(start: frames, count: Int(count)).map { UInt(bitPattern: $0) }
  unsafe Scheduler.with(scheduler) { unsafe $0.left(by: String(cString: name), from: addresses) }
}

/// Notes that the program is about to do what may end its process.
@c @implementation
func simulator_may_end(
  _ scheduler: UnsafeMutableRawPointer, _ way: Int32, _ number: Int32,
  _ callers: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int32
) {
  unsafe Scheduler.with(scheduler) { unsafe cp_note_ending($0.flight, way, number, callers, Int(count)) }
}
