internal import CConcurrencyHooks
internal import CProcesses
internal import Foundation
internal import SimulatorCore
internal import SimulatorKernel

/// Runs explorations in copies of this process. What ends a copy is a violation, and this process goes on.
///
/// This process may have other threads, as a process that runs tests does. A lock that one of them holds while the copy
/// is made is never released in the copy. So a copy is made while the other threads sleep, as far as possible. The copy
/// runs only the simulation and waits for nothing else. So a copy that falls asleep is a bad copy, and another is made.
///
/// Once there has been a copy, the work is never done in this process: what the copies do to themselves is reported.
package struct Containment {
  /// The outcome of the work.
  package enum Outcome<Answer> {
    case answered(Answer)
    /// The copies gave no answer: the report says what is known.
    case lost(Explorer.Report)
    /// No copy can be made: the work must be done in this process.
    case refused(why: String)
  }

  private let limits: Explorer.ProcessLimits
  /// The longest time that a copy may sleep before it counts as a bad one.
  private static let longestSleep = Duration.seconds(1)
  private static let mostCopies = 40
  private static let mostWaitsForQuiet = 40

  package init(_ limits: Explorer.ProcessLimits = Explorer.ProcessLimits()) {
    self.limits = limits
  }

  /// The reason why copies of this process are of no use; nil if they are of use.
  package static var refusal: String? {
    let isOff = ProcessInfo.processInfo.environment["SIMULATOR_CONTAINED"] == "0"
    if isOff { return "SIMULATOR_CONTAINED is 0" }
    if cp_is_traced() { return "a debugger follows this process, and would not follow a copy" }
    if cp_is_instrumented() { return "a sanitizer or the count of covered lines would lose what a copy does" }
    return nil
  }

  /// In a copy: returns true if its executions have changed what belongs to the whole process, such as its folder, its
  /// limits, or descriptors that are not theirs.
  package static func isSpoiled(by explorer: Explorer) -> Bool {
    let executions = Int32(clamping: explorer.recorder?.executions ?? 1)
    return explorer.freshness == .everyExecution || ch_has_met_kept_descriptors()
      || cp_condition_has_changed(max(1, executions))
  }

  /// In a copy: shows what the next execution writes. Of the others, only the first one's output is shown.
  package static func speak() { cp_speak() }

  /// Runs `work` with `explorer` in a copy of this process, and returns its answer. If something ends the copy, `work`
  /// runs again in another copy, in which executions run ahead, and finally in one that only watches, where each
  /// execution has its own process.
  ///
  /// Ends soon after the calling task is cancelled, and soon after the time of the search is over.
  package func run<Answer: Codable>(
    _ explorer: Explorer, _ work: (inout Explorer) -> Answer
  ) -> Outcome<Answer> {
    if let refusal = Self.refusal { return .refused(why: refusal) }
    let limits = limitsOfCopies
    guard let recorder = FlightRecorder.shared(), let copies = Copies(recorder, limits) else {
      return .refused(why: "no memory can be shared with a copy")
    }
    if let time = explorer.budget.time { recorder.deadline = cp_now() + time.wholeNanoseconds }
    var course = Course(explorer, recorder, limits)
    course.explorer.found = { found in
      if let news = try? JSONEncoder().encode(found), !recorder.watches { copies.tell(news) }
    }
    Symbols.share()
    for _ in 0..<Self.mostCopies {
      waitForQuiet()
      let end = copies.run(quietly: course.level != .none, asleepFor: Self.longestSleep) {
        var copied = course.explorer
        return (try? JSONEncoder().encode(work(&copied))) ?? Data()
      }
      if case .none = end, course.ends == 0 { return .refused(why: "no copy of this process could be made") }
      if case .answered(let data) = end, let answer = try? JSONDecoder().decode(Answer.self, from: data) {
        Self.learnToEncode(answer, of: data.count)
        return .answered(answer)
      }
      if let report = course.goesOn(after: end, copies.told) { return .lost(report) }
    }
    return .lost(course.notJudged)
  }

  private static let sizeEncoded = Guarded(0)

  /// Encodes an answer that contains more than earlier ones, and discards the result. The runtime then knows in this process
  /// how the types are encoded, so that later copies need not find out.
  private static func learnToEncode(_ answer: some Encodable, of size: Int) {
    let isNew = sizeEncoded.withLock { known in
      defer { known = max(known, size) }
      return size > 2 * known
    }
    guard isNew else { return }
    _ = try? JSONEncoder().encode(answer)
  }

  /// The limits of a copy. It has all the memory of this process, and may take at most half of what is left, or 64 MiB
  /// if that is more.
  private var limitsOfCopies: Explorer.ProcessLimits {
    var limits = limits
    limits.memory = cp_memory(cp_self()) + min(limits.memory, max(64 << 20, cp_memory_left() / 2))
    return limits
  }

  /// Waits at most some milliseconds until the other threads sleep.
  private func waitForQuiet() {
    var nothing = cp_wait(descriptor: -1, ready: false)
    for _ in 0..<Self.mostWaitsForQuiet {
      if cp_others_are_asleep() { return }
      unsafe cp_wait_for(&nothing, 1, 1)
    }
  }
}

/// The sequence of copies in which a search runs.
private struct Course {
  /// The protection of a copy from its executions.
  enum Level {
    case none
    /// Executions run ahead in children.
    case ahead
    /// Each execution has its own child, so nothing that it does to its process affects the copy.
    case each
  }

  var explorer: Explorer
  private let recorder: FlightRecorder
  private(set) var level = Level.none
  /// The number of copies that have ended without an answer.
  private(set) var ends = 0
  private var spots: Set<Copies.Spot> = []
  private var sleeps: Set<Copies.Spot> = []
  private var found: [Invariant.Violation] = []
  private var schedules = 0
  /// The end of the last copy, as the continuation of a sentence.
  private var last = "no copy of this process could be made any more"

  init(_ explorer: Explorer, _ recorder: FlightRecorder, _ limits: Explorer.ProcessLimits) {
    self.explorer = explorer
    self.recorder = recorder
    self.explorer.recorder = recorder
    self.explorer.processLimits = limits
    self.explorer.isolation = .none
  }

  /// Prepares for another copy. Returns a report of what is known if there is to be none.
  mutating func goesOn(after end: Copies.End, _ told: Data?) -> Explorer.Report? {
    ends += 1
    if let told, let news = try? JSONDecoder().decode([Invariant.Violation].self, from: told) { found = news }
    schedules = max(schedules, recorder.schedules)
    switch end {
    case .none: return notJudged
    case .late: return late
    case .answered:
      last = "what it answered could not be read"
      return raised(to: .each)
    case .asleep(_, waitingFor: .stranger):
      last = "it waited for a lock that another thread of the process of tests held"
      return nil
    case .asleep(let spot, let awaited):
      last = "it waited for something that does not come"
      // The program itself waits if it holds the lock, or if the copy sleeps in the same place again. The same is assumed
      // after several copies.
      let isAgain = !sleeps.insert(spot).inserted
      return awaited == .itself || isAgain || ends > 3 ? ended(at: spot) : nil
    case .tooLarge(let spot, let bytes):
      last = Death.words(for: .tooLarge(bytes))
      // Memory that earlier executions left in use is not the fault of the last one.
      return spot.executions > 1 ? raised(to: .each) : ended(at: spot)
    case .ended(let spot, let cause):
      last = Death.words(for: cause)
      return ended(at: spot)
    }
  }

  /// Notes that a copy has ended at `spot`. If that was between executions, or could not be foreseen, the next copy
  /// runs no execution itself.
  private mutating func ended(at spot: Copies.Spot) -> Explorer.Report? {
    let isNew = spots.insert(spot).inserted
    guard level != .each, spot.isExecuting, level == .none || isNew else { return raised(to: .each) }
    explorer.safeExecutions = spot.safeExecutions
    return raised(to: .ahead)
  }

  private mutating func raised(to next: Level) -> Explorer.Report? {
    if level == .each { return notJudged }
    level = next
    explorer.isolation = next == .ahead ? .forks : .none
    if next == .each {
      explorer.freshness = .everyExecution
      explorer.safeExecutions = 0
      explorer.jobs = 1
    }
    return nil
  }

  /// The report if copies end and no execution shows why.
  var notJudged: Explorer.Report {
    .notJudged(
      explorer.name, seed: explorer.seed, schedules: schedules, found: found,
      reason: "copies of this process were lost \(ends == 1 ? "once" : "\(ends) times"), and no schedule "
        + "shows why; of the last: \(last)")
  }

  /// The report if the time was over, or the search was to stop, and the copy went on.
  private var late: Explorer.Report {
    .late(
      explorer.name, seed: explorer.seed, schedules: schedules, found: found,
      isStopped: recorder.isToStop, isExecuting: recorder.isExecuting)
  }
}
