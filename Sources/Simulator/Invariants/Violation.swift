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
    public let message: String
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

    /// Whether its schedule alone decides about it.
    package var isReducible: Bool {
      invariant != Invariant.BuiltIn.escape && invariant != Invariant.BuiltIn.nondeterminism
    }
  }
}
