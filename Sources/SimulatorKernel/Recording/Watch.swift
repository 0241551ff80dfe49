internal import SimulatorCore

/// One invariant's monitor in one execution.
///
/// Each type of monitor has a class of its own. An existential would be opened for each event, and its contents would
/// first have to be checked for being uniquely referenced.
class Watch {
  /// The invariant's name.
  final let name: String
  final let wantsSteps: Bool
  /// True if it goes on when the process that it judges dies.
  final let outlivesProcess: Bool
  private let invariant: Invariant
  /// True if an earlier monitor of the invariant had anything to judge.
  private var hadJudged = false
  /// True if it has reported a violation.
  final var isSilent = false

  fileprivate init(_ monitor: some Invariant.Monitor, _ invariant: Invariant) {
    name = invariant.name
    self.invariant = invariant
    wantsSteps = monitor.wantsSteps
    outlivesProcess = monitor.outlivesProcess
  }

  /// Returns a fresh monitor of the same invariant, which is silent if this one is.
  final func fresh() -> Watch {
    let fresh = Self.watch(invariant)
    fresh.isSilent = isSilent
    fresh.hadJudged = hasJudged
    return fresh
  }

  /// True if there was anything to judge, for it or for one that it has replaced.
  final var hasJudged: Bool { hadJudged || judged }

  /// True if it should have had something to judge, and had not.
  final var isVacuous: Bool { !invariant.mayBeVacuous && !hasJudged }

  /// Returns a fresh monitor of `invariant`.
  static func watch(_ invariant: Invariant) -> Watch { make(invariant.monitor(), invariant) }

  private static func make<Monitor: Invariant.Monitor>(_ monitor: Monitor, _ invariant: Invariant) -> Watch {
    if let monitor = monitor as? any TaskMonitor { return makeOfTasks(monitor, invariant) }
    return WatchOf(monitor, invariant)
  }

  private static func makeOfTasks<Monitor: TaskMonitor>(_ monitor: Monitor, _ invariant: Invariant) -> Watch {
    WatchOfTasks(monitor, invariant)
  }

  // The questions to a monitor, which `WatchOf` passes on.
  func saw(_ event: Trace.Event) -> String? { nil }
  func saw(cancelOf task: Int, _ tasks: any TaskKnowledge) {}
  func paused(_ time: VirtualInstant) -> String? { nil }
  func atRest(_ end: VirtualInstant) -> String? { nil }
  func cutOff(_ end: VirtualInstant) -> String? { nil }
  func processDied(_ time: VirtualInstant) -> String? { nil }
  var judged: Bool { false }
  /// The diagnosis of the violation that was just reported.
  var diagnosis: Invariant.Diagnosis? { nil }
}

/// A watch that keeps its monitor in memory of its own, because the check that no other access to it overlaps would
/// cost more than many a monitor does. Safe: only `Monitors` reaches it, and no monitor reaches `Monitors`.
@safe private class WatchOf<Monitor: Invariant.Monitor>: Watch {
  fileprivate final let monitor: UnsafeMutablePointer<Monitor>
  private let usual: Invariant.Diagnosis?

  init(_ monitor: Monitor, _ invariant: Invariant) {
    unsafe self.monitor = .allocate(capacity: 1)
    unsafe self.monitor.initialize(to: monitor)
    usual = invariant.diagnosis
    super.init(monitor, invariant)
  }

  deinit {
    unsafe monitor.deinitialize(count: 1)
    unsafe monitor.deallocate()
  }

  override func saw(_ event: Trace.Event) -> String? { unsafe monitor.pointee.saw(event) }
  override func paused(_ time: VirtualInstant) -> String? { unsafe monitor.pointee.paused(time) }
  override func atRest(_ end: VirtualInstant) -> String? { unsafe monitor.pointee.atRest(end) }
  override func cutOff(_ end: VirtualInstant) -> String? { unsafe monitor.pointee.cutOff(end) }
  override func processDied(_ time: VirtualInstant) -> String? { unsafe monitor.pointee.processDied(time) }
  override var judged: Bool { unsafe monitor.pointee.judged }
  override var diagnosis: Invariant.Diagnosis? { unsafe monitor.pointee.diagnosis ?? usual }
}

/// A watch whose monitor is also told what is known of tasks.
@safe private final class WatchOfTasks<Monitor: TaskMonitor>: WatchOf<Monitor> {
  override func saw(cancelOf task: Int, _ tasks: any TaskKnowledge) {
    unsafe monitor.pointee.saw(cancelOf: task, tasks)
  }
}
