internal import CConcurrencyHooks
internal import CProcesses

// Work that leaves for a thread that the simulation does not control, or comes back from one. The execution ends with the
// step: what would happen after that is not known.

extension Scheduler {
  /// The program has called a way out, in the step or the action that runs. `addresses` are return addresses.
  func left(by name: String, from addresses: [UInt]) {
    guard !hasEscaped, unsafe flight.pointee.tearing_down == 0 else { return }
    recorder.left("✗ leaves the simulation: \(name)", self)
    tables.escapes.left(Escapes.Call(name: name, addresses: addresses), at: moment)
    leaveOffEscaped()
  }

  /// Takes what foreign threads have left, after waiting at most `nanoseconds`; whether there was anything. None of it is
  /// run.
  func takeForeign(waiting nanoseconds: Int64) -> Bool {
    let jobs = unsafe inbox.take(waiting: nanoseconds)
    let visitors = inbox.visitors
    guard unsafe !jobs.isEmpty || visitors > 0 else { return leftByWaiting() }
    state.jobsFromOutside += unsafe jobs.count + visitors
    let descriptions = unsafe recorder.keepsEvents ? jobs.prefix(4).map { unsafe describeEscape(of: $0) } : []
    tables.escapes.cameBack(descriptions, by: inbox.bringer, at: moment)
    leaveOffEscaped()
    return true
  }

  /// Real nanoseconds to wait for a foreign thread: none where this process has no threads but those of simulations.
  var patienceForOthers: Int64 {
    limits.patience > 0 && threadsThatMayHoldLocks() == 1 ? 0 : limits.patience
  }

  /// Nothing can run. In a copy of a process that had other threads, one of those could still resume what the root waits for:
  /// then this is no deadlock.
  func waitsForLostThread() -> Bool {
    guard limits.waitsForOthers, ThreadBeside.lostCount > 0, let waiter = waiterForOthers else {
      return false
    }
    recorder.left("✗ waits for a thread that is older than the search", self)
    tables.escapes.waits(waiter, at: moment)
    leaveOffEscaped()
    return true
  }

  /// Whether work has escaped in this execution.
  var hasEscaped: Bool { !tables.escapes.isFresh }

  private var moment: Escapes.Moment { Escapes.Moment(time: now, step: state.steps, digest: state.digest) }

  /// Nothing that happens from here on is recorded or judged.
  private func leaveOffEscaped() {
    state.isCut = true
    recorder.mute()
  }

  /// Puts back what the rest of the step has changed after the work left.
  func endEscaped() {
    guard let moment = tables.escapes.moment else { return }
    moveTime(to: moment.time)
    state.digest = moment.digest
    state.frame = .none
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
  }

  /// What is reported of it. Finding the places costs some hundred milliseconds once a process.
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
    // Not every library tells its asynchronous callers; then it is where the task went on.
    let places = called.isEmpty ? Symbols.places(ofStack: recorder.stackOfStep) : called
    let place = places.prefix(3).map(\.description).joined(separator: " <- ")
    let isExecutor = call.name == "TaskExecutor" || call.name == "SerialExecutor"
    let what = isExecutor ? "runs on an executor of its own, a" : "leaves the simulation by"
    return "the program \(what) \(call.name)" + (place.isEmpty ? "" : " at " + place)
      + (exit.map { ": \($0.effect); \($0.remedy)" } ?? "") + describeEnder(of: call)
  }

  /// Who could end a wait for a signal that is no step of the simulation.
  private func describeEnder(of call: Escapes.Call) -> String {
    guard Locks.Subject.waits.contains(call.name), let thread = ThreadBeside.lost.first else { return "" }
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
