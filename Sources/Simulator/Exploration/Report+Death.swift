internal import CProcesses

extension Explorer.Report {
  /// What is known of an exploration whose process has ended, when that cannot be shown again: how far it had come.
  package static func ended(
    by death: Death, _ name: String, seed: UInt64, in recorder: FlightRecorder, remark: String
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: recorder.schedules)
    let schedule = Schedule(choices: death.choices)
    let now = unsafe recorder.page.pointee.now
    // As if the execution had been left off there.
    let told = Digest.mix(recorder.digest, .note(death.ending.text), at: now)
    let digest = Digest.mix(told, death.invariant)
    report.add(
      Invariant.Violation(
        invariant: death.invariant, diagnosis: Invariant.BuiltIn.diagnosis(of: death.invariant),
        message: "\(death.message); \(remark)", time: VirtualInstant(nanoseconds: now), step: death.step,
        number: recorder.schedules,
        token: Schedule.Token(schedule: schedule, digest: Trace(digest: digest).shortDigest), trace: Trace()))
    return report
  }

  /// What is known of an exploration that was stopped before it could say more: how far it had come.
  package static func stopped(_ name: String, seed: UInt64, schedules: Int) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: schedules)
    report.interruption = .stopped
    return report
  }
}
