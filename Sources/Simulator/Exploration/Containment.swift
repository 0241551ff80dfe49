internal import CProcesses
internal import Foundation

/// Runs explorations in copies of this process: what ends a copy is a violation, and this process goes on.
///
/// It may have other threads, as one in which tests run has. A lock that one of them holds while the copy is made is never
/// let go in the copy. So a copy is made while the others sleep, as far as that can be had; it runs nothing but the
/// simulation and waits for nobody, so one that falls asleep is a bad copy, and another is made.
package struct Containment {
  /// What came of it.
  package enum Outcome<Answer> {
    case answered(Answer)
    /// It could not be had: the work is to be done in this process.
    case refused(why: String)
  }

  private let limits: Explorer.ProcessLimits
  /// How long a copy may sleep before it is taken for a bad one.
  private static let longestSleep = Duration.seconds(1)
  private static let mostCopies = 6
  private static let mostWaitsForQuiet = 40

  package init(_ limits: Explorer.ProcessLimits = Explorer.ProcessLimits()) {
    self.limits = limits
  }

  /// Why copies of this process are of no use; nil if they are.
  package static var refusal: String? {
    let isOff = ProcessInfo.processInfo.environment["SIMULATOR_CONTAINED"] == "0"
    if isOff { return "SIMULATOR_CONTAINED is 0" }
    if cp_is_traced() { return "a debugger follows this process, and would not follow a copy" }
    if cp_is_instrumented() { return "a sanitizer or the count of covered lines would lose what a copy does" }
    return nil
  }

  /// What `work` does with `explorer`, in a copy of this process. It is done anew, in another copy in which executions
  /// run ahead, when something has ended the first.
  ///
  /// Ends soon after the calling task is cancelled.
  package func run<Answer: Codable>(
    _ explorer: Explorer, _ work: (inout Explorer) -> Answer
  ) -> Outcome<Answer> {
    if let refusal = Self.refusal { return .refused(why: refusal) }
    let limits = limitsOfCopies
    guard let recorder = FlightRecorder.shared(), let copies = Copies(recorder, limits) else {
      return .refused(why: "no memory can be shared with a copy")
    }
    var explorer = explorer
    (explorer.recorder, explorer.processLimits, explorer.isolation) = (recorder, limits, .none)
    let began = cp_now()
    var ends: Set<Copies.Spot> = []
    var sleeps: Set<Copies.Spot> = []
    for _ in 0..<Self.mostCopies {
      let isQuiet = waitForQuiet()
      let end = copies.run(quietly: explorer.isolation == .forks, asleepFor: Self.longestSleep) {
        var copied = explorer
        return (try? JSONEncoder().encode(work(&copied))) ?? Data()
      }
      switch end {
      case .answered(let data):
        guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else {
          return .refused(why: "the answer of a copy cannot be read")
        }
        return .answered(answer)
      case .none: return .refused(why: "no copy of this process could be made")
      case .asleep(let spot, let waitsForItself):
        // Where no other thread had anything, it is the program that waits.
        if waitsForItself || isQuiet && !sleeps.insert(spot).inserted {
          isolate(&explorer, at: spot, since: began)
        }
      case .ended(let spot):
        if explorer.isolation == .forks, !ends.insert(spot).inserted {
          return .refused(why: "copies of this process end where no execution is to blame")
        }
        isolate(&explorer, at: spot, since: began)
      }
    }
    return .refused(why: "copies of this process wait for something that another of its threads holds")
  }

  /// A copy has all that this process has.
  private var limitsOfCopies: Explorer.ProcessLimits {
    var limits = limits
    limits.memory += cp_memory(cp_self())
    return limits
  }

  /// From now on executions run ahead, from where something ended a copy.
  private func isolate(_ explorer: inout Explorer, at spot: Copies.Spot, since began: Int64) {
    explorer.isolation = .forks
    explorer.safeExecutions = spot.safeExecutions
    // What has been run until then is run once more.
    explorer.budget.time = explorer.budget.time.map { $0 + .nanoseconds(4 * (cp_now() - began)) }
  }

  /// Waits some milliseconds at most until the other threads sleep; whether they do.
  private func waitForQuiet() -> Bool {
    var nothing = cp_wait(descriptor: -1, ready: false)
    for _ in 0..<Self.mostWaitsForQuiet {
      if cp_others_are_asleep() { return true }
      unsafe cp_wait_for(&nothing, 1, 1)
    }
    return false
  }
}
