extension Schedule {
  /// One decision of one execution: what kind, how many options there were, which was taken.
  ///
  /// Only decisions with at least two options are choices. Option 0 is always the natural one.
  public struct Choice: Hashable, Codable, Sendable {
    /// What was decided.
    public enum Kind: UInt8, Hashable, Codable, Sendable, CaseIterable {
      /// Which step runs next, or whether an *anytime* action happens first.
      case order
      /// How long something takes, out of a range.
      case delay
      /// Which of several written alternatives holds.
      case alternative
      /// Whether, and how, a fault strikes.
      case fault
      /// When the user acts.
      case moment
      /// Whether a task is cancelled where it is suspended.
      case cancel
      /// Whether the running step is left in its middle, so that others run before it goes on.
      case preemption
      /// Which of the steps that wait for a condition goes on when it is signaled.
      case signal
      /// Whether the running step is left before it accesses memory: see ``Schedule/accessPoints``.
      case access
      /// What the user does next in a story that is made up; 0 is nothing.
      case action
      /// Which value a setting has in a story that is made up; 0 is the usual one.
      case setting
    }

    /// What was decided.
    public let kind: Kind
    /// How many options there were; at least two.
    public let options: Int
    /// The option taken, in `0..<options`; 0 is the natural one.
    public let taken: Int

    /// A decision of `kind` that took option `taken` of `options`.
    public init(kind: Kind, options: Int, taken: Int) {
      self.kind = kind
      self.options = options
      self.taken = taken
    }
  }
}

extension Schedule.Choice {
  /// Three numbers without their names: an execution has very many.
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    try self.init(
      kind: values.decode(Kind.self), options: values.decode(Int.self), taken: values.decode(Int.self))
  }

  /// Three numbers: the kind, how many options there were, which was taken.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(kind)
    try values.encode(options)
    try values.encode(taken)
  }
}
