/// Something that must hold in every execution.
public struct Invariant: Sendable {
  /// The name that scenario files and reports use: `nothing-after-dismissal`.
  public let name: String
  /// What it demands, in one line.
  public let summary: String
  /// What race a violation shows, where it can be no other; a judge may know better.
  public let race: Race?
  /// Makes a judge for one execution.
  public let judge: @Sendable () -> any Judge

  /// An invariant called `name`, judged in each execution by a fresh `judge`.
  public init(
    _ name: String, _ summary: String, race: Race? = nil, judge: @escaping @Sendable () -> any Judge
  ) {
    self.name = name
    self.summary = summary
    self.race = race
    self.judge = judge
  }
}

/// Watches one execution's events and says when an invariant is broken.
public protocol Judge {
  /// Whether ``Event/Kind/step`` events are wanted too. Asked once.
  var wantsSteps: Bool { get }

  /// Told each event as it happens; answers the violation's sentence, with the values in it. O(1) an event.
  mutating func saw(_ event: Event) -> String?

  /// The execution has ended by itself or at its time limit; answers what was still owed.
  mutating func atRest(_ end: VirtualInstant) -> String?

  /// Whether there was anything to judge. False in every execution of a search means that it tested nothing.
  var judged: Bool { get }

  /// What race the violation just told shows, where that depends on what was seen. Never a guess: a wrong name is worse
  /// than none.
  var race: Race? { get }
}

extension Judge {
  public var wantsSteps: Bool { false }
  public var race: Race? { nil }
  public mutating func atRest(_ end: VirtualInstant) -> String? { nil }
}
