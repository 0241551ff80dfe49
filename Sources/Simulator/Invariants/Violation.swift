extension Invariant {
  /// One proof that an invariant does not hold.
  public struct Violation: Codable, Sendable {
    /// The invariant's name.
    public let invariant: String
    /// What it shows; nil if that is not known for certain.
    public internal(set) var diagnosis: Invariant.Diagnosis?
    /// What proves that, where the invariant did not say; who was involved, and where.
    public internal(set) var evidence: String?
    /// What went wrong, with the values in it.
    public internal(set) var message: String
    /// The virtual time at which it was noticed.
    public let time: VirtualInstant
    /// The step at which it was noticed.
    public let step: Int
    /// The number of the execution that found it, from 0.
    public let number: Int
    /// What replays it.
    public let token: Schedule.Token
    /// What happened, whole.
    public let trace: Trace
    /// How its schedule was made smaller; nil if that was not tried.
    public internal(set) var shrinking: Invariant.Shrinking?

    /// Whether its schedule shows it in a fresh process too; nil if that was not tried.
    public internal(set) var freshReplay: FreshReplay?
    /// What such a process is a copy of.
    var freshOrigin = Invariant.Violation.FreshOrigin.search

    /// What a schedule that violates something shows in a process that has run nothing before it.
    public enum FreshReplay: String, Hashable, Codable, Sendable {
      /// The same.
      case shown
      /// No violation: what earlier executions left behind has a part in it.
      case notShown = "not-shown"
      /// The same, and nothing in later executions of one process.
      case onlyThere = "only-there"
    }

    /// Whether its schedule alone decides about it.
    package var isReducible: Bool {
      invariant != Invariant.BuiltIn.escape && invariant != Invariant.BuiltIn.nondeterminism
        && freshReplay != .notShown
    }
  }
}
