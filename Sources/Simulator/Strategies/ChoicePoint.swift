extension Strategies {
  /// A decision to be made.
  public struct ChoicePoint: Sendable {
    /// What is decided.
    public let kind: Schedule.Choice.Kind
    /// How many options there are; at least two. The last ``anytime`` of an order choice are actions.
    public let options: Int
    /// How many of the options are *anytime* actions, which come last.
    public let anytime: Int
    /// Whether the first option is to let time pass instead of running a candidate.
    public let atTimer: Bool
    /// The position of the choice in the execution, from 0.
    public let position: Int
  }
}

extension Strategies {
  /// What a strategy decides.
  public enum Pick: Hashable, Sendable {
    /// The option with this number; for an order choice, candidates by age and then *anytime* actions.
    case option(Int)
    /// The candidate with this identity, which must be on offer.
    case candidate(Strategies.Candidate.ID)
  }
}

extension Strategies {
  /// How an execution went, for a strategy that learns.
  public struct ExecutionSummary: Codable, Sendable {
    /// The number of choices made.
    public let choices: Int
    /// The number of order choices among them.
    public let orderChoices: Int
    /// The number of steps run.
    public let steps: Int
    /// Whether an invariant was violated.
    public let violated: Bool
    /// A hash of what happened, in the order in which it happened.
    public let digest: UInt64
    /// A hash of what each domain and each fake saw, whatever the order among them.
    public let behaviour: UInt64
  }
}
