/// Something that must hold in every execution.
///
/// An invariant of your own is a ``Invariant/Monitor`` with a name:
///
/// ```swift
/// struct PaidOnce: Monitor {
///   private var paid: Set<String> = []
///   var judged: Bool { !paid.isEmpty }
///
///   mutating func saw(_ event: Event) -> String? {
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
  /// What it demands, in one line.
  public let summary: String
  /// What a violation shows, where it can be nothing else; a monitor may know better.
  public let diagnosis: Invariant.Diagnosis?
  /// Makes a monitor for one execution.
  public let monitor: @Sendable () -> any Invariant.Monitor

  /// An invariant called `name`, watched in each execution by a fresh `monitor`.
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
  static func refuseNegative(_ bound: Duration, _ name: String) {
    refuse(if: bound < .zero, "the bound of \(name) is \(bound), and nothing happens in less than no time")
  }
}

extension Invariant {
  /// Watches one execution's events and says when an invariant is broken.
  public protocol Monitor {
    /// Whether ``Trace/Event/Kind/step`` events are wanted too. Asked once.
    var wantsSteps: Bool { get }

    /// Told each event as it happens; answers the violation's sentence, with the values in it. O(1) an event.
    mutating func saw(_ event: Trace.Event) -> String?

    /// All is at rest in the middle of an execution: nothing can run, no timer waits, and an action that may happen at any
    /// time comes next. Answers what was still owed.
    mutating func paused(_ time: VirtualInstant) -> String?

    /// The execution has ended by itself or at its time limit; answers what was still owed.
    mutating func atRest(_ end: VirtualInstant) -> String?

    /// Whether it goes on when the process dies that it judges, and is launched again. Else a fresh monitor takes its place: what
    /// a process still owed died with it. Asked once.
    var outlivesProcess: Bool { get }

    /// The process has died that was judged: what it held in memory is gone. Answers what was wrong with what is left.
    mutating func processDied(_ time: VirtualInstant) -> String?

    /// Whether there was anything to judge. False in every execution of a search means that it tested nothing.
    var judged: Bool { get }

    /// What the violation just reported shows, where that depends on what was seen. Never a guess: a wrong name
    /// is worse than none.
    var diagnosis: Invariant.Diagnosis? { get }
  }
}

extension Invariant.Monitor {
  public var wantsSteps: Bool { false }
  public var outlivesProcess: Bool { false }
  public var diagnosis: Invariant.Diagnosis? { nil }
  public mutating func paused(_ time: VirtualInstant) -> String? { nil }
  public mutating func atRest(_ end: VirtualInstant) -> String? { nil }
  public mutating func processDied(_ time: VirtualInstant) -> String? { nil }
}
