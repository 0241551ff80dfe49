/// One invariant's monitor in one execution.
///
/// A class for each type of monitor: an existential is opened anew for each event, and must first be made sure to be the only
/// one of its contents.
class Watch {
  /// The invariant's name.
  final let name: String
  final let wantsSteps: Bool
  /// Whether it has said what is violated.
  final var isSilent = false

  fileprivate init(name: String, wantsSteps: Bool) {
    self.name = name
    self.wantsSteps = wantsSteps
  }

  /// A fresh monitor of `invariant`.
  static func watch(_ invariant: Invariant) -> Watch { make(invariant.monitor(), invariant) }

  private static func make<Monitor: Invariant.Monitor>(_ monitor: Monitor, _ invariant: Invariant) -> Watch {
    WatchOf(monitor, invariant)
  }

  // What a monitor is asked; `WatchOf` passes it on.
  func saw(_ event: Trace.Event) -> String? { nil }
  func paused(_ time: VirtualInstant) -> String? { nil }
  func atRest(_ end: VirtualInstant) -> String? { nil }
  var judged: Bool { false }
  /// What the violation just reported shows.
  var diagnosis: Invariant.Diagnosis? { nil }
}

/// The monitor stands in memory of its own, because the check that no other access to it overlaps would cost more than many a
/// monitor. Safe: only `Monitors` reaches it, and no monitor reaches `Monitors`.
@safe private final class WatchOf<Monitor: Invariant.Monitor>: Watch {
  private let monitor: UnsafeMutablePointer<Monitor>
  private let usual: Invariant.Diagnosis?

  init(_ monitor: Monitor, _ invariant: Invariant) {
    unsafe self.monitor = .allocate(capacity: 1)
    unsafe self.monitor.initialize(to: monitor)
    usual = invariant.diagnosis
    super.init(name: invariant.name, wantsSteps: monitor.wantsSteps)
  }

  deinit {
    unsafe monitor.deinitialize(count: 1)
    unsafe monitor.deallocate()
  }

  override func saw(_ event: Trace.Event) -> String? { unsafe monitor.pointee.saw(event) }
  override func paused(_ time: VirtualInstant) -> String? { unsafe monitor.pointee.paused(time) }
  override func atRest(_ end: VirtualInstant) -> String? { unsafe monitor.pointee.atRest(end) }
  override var judged: Bool { unsafe monitor.pointee.judged }
  override var diagnosis: Invariant.Diagnosis? { unsafe monitor.pointee.diagnosis ?? usual }
}
