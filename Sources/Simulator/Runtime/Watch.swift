/// One invariant's monitor in one execution.
///
/// A class for each type of monitor: an existential is opened anew for each event, and must first be made sure to be the only
/// one of its contents.
class Watch {
  /// The invariant's name.
  final let name: String
  final let wantsSteps: Bool
  /// Whether it goes on when the process dies that it judges.
  final let outlivesProcess: Bool
  private let invariant: Invariant
  /// Whether an earlier monitor of the invariant had anything to judge.
  private var hadJudged = false
  /// Whether it has said what is violated.
  final var isSilent = false

  fileprivate init(_ monitor: some Invariant.Monitor, _ invariant: Invariant) {
    name = invariant.name
    self.invariant = invariant
    wantsSteps = monitor.wantsSteps
    outlivesProcess = monitor.outlivesProcess
  }

  /// A fresh monitor of the same invariant, which is as silent.
  final func fresh() -> Watch {
    let fresh = Self.watch(invariant)
    fresh.isSilent = isSilent
    fresh.hadJudged = hasJudged
    return fresh
  }

  /// Whether there was anything to judge, for it or for one that it has replaced.
  final var hasJudged: Bool { hadJudged || judged }

  /// A fresh monitor of `invariant`.
  static func watch(_ invariant: Invariant) -> Watch { make(invariant.monitor(), invariant) }

  private static func make<Monitor: Invariant.Monitor>(_ monitor: Monitor, _ invariant: Invariant) -> Watch {
    if let monitor = monitor as? any TaskMonitor { return makeOfTasks(monitor, invariant) }
    return WatchOf(monitor, invariant)
  }

  private static func makeOfTasks<Monitor: TaskMonitor>(_ monitor: Monitor, _ invariant: Invariant) -> Watch {
    WatchOfTasks(monitor, invariant)
  }

  // What a monitor is asked; `WatchOf` passes it on.
  func saw(_ event: Trace.Event) -> String? { nil }
  func saw(cancelOf task: Int, _ tasks: any TaskKnowledge) {}
  func paused(_ time: VirtualInstant) -> String? { nil }
  func atRest(_ end: VirtualInstant) -> String? { nil }
  func processDied(_ time: VirtualInstant) -> String? { nil }
  var judged: Bool { false }
  /// What the violation just reported shows.
  var diagnosis: Invariant.Diagnosis? { nil }
}

/// The monitor stands in memory of its own, because the check that no other access to it overlaps would cost more than many a
/// monitor. Safe: only `Monitors` reaches it, and no monitor reaches `Monitors`.
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
  override func processDied(_ time: VirtualInstant) -> String? { unsafe monitor.pointee.processDied(time) }
  override var judged: Bool { unsafe monitor.pointee.judged }
  override var diagnosis: Invariant.Diagnosis? { unsafe monitor.pointee.diagnosis ?? usual }
}

/// The same for one that is told what is known of tasks.
@safe private final class WatchOfTasks<Monitor: TaskMonitor>: WatchOf<Monitor> {
  override func saw(cancelOf task: Int, _ tasks: any TaskKnowledge) {
    unsafe monitor.pointee.saw(cancelOf: task, tasks)
  }
}
