internal import CProcesses

extension Explorer.Report {
  /// What is known of an exploration whose process has ended, when that cannot be shown again: how far it had come.
  package static func ended(
    by death: Death, _ name: String, seed: UInt64, in recorder: FlightRecorder, remark: String,
    found: [Invariant.Violation]
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: recorder.schedules)
    found.forEach { report.add($0) }
    let schedule = Schedule(choices: death.choices)
    let now = unsafe recorder.page.pointee.now
    // As if the execution had been left off there.
    let told = Digest.mix(recorder.digest, .note(death.ending.text), at: now)
    let digest = Digest.mix(told, death.invariant)
    report.add(
      Invariant.Violation(
        invariant: death.invariant, diagnosis: Invariant.BuiltIn.diagnosis(of: death.invariant),
        message: "\(death.message); \(remark)", time: VirtualInstant(nanoseconds: now), step: death.step,
        number: recorder.number,
        token: Schedule.Token(schedule: schedule, digest: Trace(digest: digest).shortDigest), trace: Trace()))
    return report
  }

  /// The report of a shard to which nothing of an exploration falls.
  static func idle(_ name: String, seed: UInt64) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed)
    report.keepDigests()
    return report
  }

  /// What is known of an exploration that was stopped before it could say more: how far it had come.
  package static func stopped(
    _ name: String, seed: UInt64, schedules: Int, found: [Invariant.Violation]
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: schedules)
    found.forEach { report.add($0) }
    report.interruption = .stopped
    return report
  }

  /// What is known of an exploration whose processes were ended again and again by something that is not its program's
  /// doing, as far as any schedule shows; `reason` says by what.
  package static func notJudged(
    _ name: String, seed: UInt64, schedules: Int, found: [Invariant.Violation], reason: String
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: schedules)
    found.forEach { report.add($0) }
    report.interruption = .notJudged
    report.warn(reason)
    return report
  }

  /// What is known of an exploration that did not end when its time was over, or when it was to stop.
  static func late(
    _ name: String, seed: UInt64, schedules: Int, found: [Invariant.Violation], isStopped: Bool,
    isExecuting: Bool
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: schedules)
    found.forEach { report.add($0) }
    report.interruption = isStopped ? .stopped : .outOfTime
    if found.isEmpty, isExecuting {
      report.warn(
        "the execution that ran when the time was over had not ended and is not judged: it may hang")
    } else if !found.isEmpty {
      report.warn("what was found is not shrunk, or not to the end: the time of the search was over")
    }
    return report
  }
}
