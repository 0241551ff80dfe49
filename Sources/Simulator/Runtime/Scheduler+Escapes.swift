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
    tables.escapes.cameBack(descriptions, at: moment)
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
    guard let call = tables.escapes.call else {
      let jobs =
        "\(state.jobsFromOutside) job(s) came from a thread that the simulation does not control"
      let whose = tables.escapes.descriptions.joined(separator: "; ")
      return (whose.isEmpty ? jobs : jobs + ": " + whose) + "; " + Exits.remedyOfJobs
    }
    let exit = Exits.row(of: call.name)
    let called = Symbols.places(of: call.addresses.map { $0 - 1 }).flatMap { $0 }
    // Not every library tells its asynchronous callers; then it is where the task went on.
    let places = called.isEmpty ? Symbols.places(ofStack: recorder.stackOfStep) : called
    let place = places.prefix(3).map(\.description).joined(separator: " <- ")
    let isExecutor = call.name == "TaskExecutor" || call.name == "SerialExecutor"
    let what = isExecutor ? "runs on an executor of its own, a" : "leaves the simulation by"
    return "the program \(what) \(call.name)" + (place.isEmpty ? "" : " at " + place)
      + (exit.map { ": \($0.effect); \($0.remedy)" } ?? "")
  }
}
