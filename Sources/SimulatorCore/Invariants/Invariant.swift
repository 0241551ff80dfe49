/// Something that must hold in every execution.
///
/// An invariant of your own is a ``Invariant/Monitor`` with a name:
///
/// ```swift
/// struct PaidOnce: Invariant.Monitor {
///   private var paid: Set<String> = []
///   var judged: Bool { !paid.isEmpty }
///
///   mutating func saw(_ event: Trace.Event) -> String? {
///     guard case .began(let call) = event.kind, call.operation == "POST /pay" else { return nil }
///     return paid.insert(call.detail.description).inserted ? nil : "\(call.detail) is paid twice"
///   }
/// }
///
/// simulation.require(Invariant("paid-once", "No order is paid twice.") { PaidOnce() })
/// ```
public struct Invariant: Sendable {
  /// The name that scenario files and reports use: `nothing-after-dismissal`.
  public let name: String
  /// The rule that it enforces, in one line.
  public let summary: String
  /// The kind of fault that every violation shows, if there is only one; a monitor may know better.
  public let diagnosis: Invariant.Diagnosis?
  /// Makes a monitor for one execution.
  public let monitor: @Sendable () -> any Invariant.Monitor
  /// True if a search need not give it anything to judge.
  package var mayBeVacuous = false

  /// Creates an invariant called `name`. A fresh `monitor` watches each execution.
  public init(
    _ name: String, _ summary: String, diagnosis: Invariant.Diagnosis? = nil,
    monitor: @escaping @Sendable () -> any Invariant.Monitor
  ) {
    refuse(if: name.isEmpty, "an invariant needs a name, for reports to call it by")
    self.name = name
    self.summary = summary
    self.diagnosis = diagnosis
    self.monitor = monitor
  }
}

extension Invariant {
  package static func refuseNegative(_ bound: Duration, _ name: String) {
    refuse(if: bound < .zero, "the bound of \(name) is \(bound), and nothing happens in less than no time")
  }
}

extension Invariant {
  /// Watches one execution's events and reports when an invariant is broken.
  public protocol Monitor {
    /// True if the monitor also wants ``Trace/Event/Kind/step`` events. Asked once.
    var wantsSteps: Bool { get }

    /// Called for each event as it happens. Returns the sentence of a violation, with the values in it. O(1) an event.
    mutating func saw(_ event: Trace.Event) -> String?

    /// Called when all is at rest in the middle of an execution: nothing can run, no timer waits, and an action that
    /// may happen at any time comes next. Returns a sentence about what is still owed.
    mutating func paused(_ time: VirtualInstant) -> String?

    /// Called when the execution has ended by itself. Returns a sentence about what is still owed.
    mutating func atRest(_ end: VirtualInstant) -> String?

    /// Called in place of ``atRest(_:)`` when the execution has reached its time limit, and something would still happen. Returns a
    /// sentence about what is late already; what may yet come is not owed.
    mutating func cutOff(_ end: VirtualInstant) -> String?

    /// True if the monitor goes on when the process that it judges dies and is launched again. Otherwise a fresh
    /// monitor takes its place: what the process still owed died with it. Asked once.
    var outlivesProcess: Bool { get }

    /// Called when the judged process has died: what it held in memory is gone. Returns what is wrong with what is
    /// left.
    mutating func processDied(_ time: VirtualInstant) -> String?

    /// True if there was anything to judge. If it is false in every execution of a search, the invariant tested
    /// nothing.
    var judged: Bool { get }

    /// The kind of fault that the violation just reported shows, if that depends on what was seen. Never a guess: a
    /// wrong name is worse than none.
    var diagnosis: Invariant.Diagnosis? { get }
  }
}

extension Invariant.Monitor {
  public var wantsSteps: Bool { false }
  public var outlivesProcess: Bool { false }
  public var diagnosis: Invariant.Diagnosis? { nil }
  public mutating func paused(_ time: VirtualInstant) -> String? { nil }
  public mutating func atRest(_ end: VirtualInstant) -> String? { nil }
  public mutating func cutOff(_ end: VirtualInstant) -> String? { nil }
  public mutating func processDied(_ time: VirtualInstant) -> String? { nil }
}
