internal import CProcesses
package import SimulatorCore
package import SimulatorKernel

extension Explorer.Report {
  /// Returns what is known of an exploration whose process has ended, if the end cannot be shown again: its progress so far.
  package static func ended(
    by death: Death, _ name: String, seed: UInt64, in recorder: FlightRecorder, remark: String,
    found: [Invariant.Violation]
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: recorder.schedules)
    found.forEach { report.add($0) }
    let schedule = Schedule(choices: death.choices)
    let now = unsafe recorder.page.pointee.now
    // The same digest as if the execution had been stopped there.
    let told = Digest.mix(recorder.digest, death.ending.event, at: now)
    let digest = Digest.mix(told, death.invariant)
    report.add(
      Invariant.Violation(
        invariant: death.invariant, diagnosis: Invariant.BuiltIn.diagnosis(of: death.invariant),
        message: "\(death.message); \(remark)", time: VirtualInstant(nanoseconds: now), step: death.step,
        number: recorder.number,
        token: Schedule.Token(schedule: schedule, digest: Trace(digest: digest).shortDigest), trace: Trace()))
    return report
  }

  /// Returns the report of a shard that has no part in an exploration.
  static func idle(_ name: String, seed: UInt64) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed)
    report.ended(with: EndPairs(), isShard: true)
    return report
  }

  /// Returns what is known of an exploration that was stopped before it could say more: its progress so far.
  package static func stopped(
    _ name: String, seed: UInt64, schedules: Int, found: [Invariant.Violation]
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: schedules)
    found.forEach { report.add($0) }
    report.interruption = .stopped
    return report
  }

  /// Returns what is known of an exploration whose processes ended again and again for a cause that, as far as any schedule
  /// shows, is not its program; `reason` names the cause.
  package static func notJudged(
    _ name: String, seed: UInt64, schedules: Int, found: [Invariant.Violation], reason: String
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: schedules)
    found.forEach { report.add($0) }
    report.interruption = .notJudged
    report.warn(reason)
    return report
  }

  /// The warning that an execution had not ended when the time of the search was over.
  package static let unendedExecution =
    "the execution that ran when the time was over had not ended and is not judged: it may hang"

  /// Returns what is known of an exploration that did not end when its time was over, or when it was asked to stop.
  static func late(
    _ name: String, seed: UInt64, schedules: Int, found: [Invariant.Violation], isStopped: Bool,
    isExecuting: Bool
  ) -> Explorer.Report {
    var report = Explorer.Report(name: name, seed: seed, triedBefore: schedules)
    found.forEach { report.add($0) }
    report.interruption = isStopped ? .stopped : .outOfTime
    if found.isEmpty, isExecuting {
      report.warn(unendedExecution)
    } else if !found.isEmpty {
      report.warn("what was found is not shrunk, or not to the end: the time of the search was over")
    }
    return report
  }
}
