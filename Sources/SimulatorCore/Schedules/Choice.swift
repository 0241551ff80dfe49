extension Schedule {
  /// One decision of one execution: its kind, the number of options, and the option taken.
  ///
  /// Only decisions with at least two options are choices. Option 0 is always the natural one.
  public struct Choice: Hashable, Codable, Sendable {
    /// The kind of a decision.
    public enum Kind: UInt8, Hashable, Codable, Sendable, CaseIterable {
      /// The step that runs next, or an *anytime* action that happens before it.
      case order
      /// The duration of something, from a range.
      case delay
      /// The alternative that holds, among several that are written down.
      case alternative
      /// The fault that strikes, if any.
      case fault
      /// The moment at which the user acts.
      case moment
      /// A cancellation of a task that is suspended, or none.
      case cancel
      /// A preemption of the running step, or none: a preempted step is parked, and others run before it goes on.
      case preemption
      /// The step that goes on when a condition is signaled, among those that wait for it.
      case signal
      /// A preemption of the running step before it accesses memory, or none: see ``Schedule/accessPoints``.
      case access
      /// The user's next action in a generated story; 0 is nothing.
      case action
      /// The value of a setting in a generated story; 0 is the usual one.
      case setting
      /// The end of a sleep that is due at the same instant as something else: at once, or as a candidate beside what
      /// the others make runnable, which may then cancel it.
      case tie
      /// The random numbers that the program is given: 0 is the same numbers as ever, each other option is others.
      /// Decided when the program first asks for one.
      case draw
      /// When the result of a task that ends is freed: at once, or in a step of its own, as a candidate beside what the
      /// end makes runnable. Only for results that may hold an object of the program's.
      case release
      /// The store that a load of an atomic answers, where memory is weak: the newest one, or the one before, and so on.
      case load
      /// The timer of a run loop that fires next, among those that are due together.
      case timer
      /// When work begins that is canceled while it could run: never, or just before the cancel, with all that it does coming after.
      /// The work is a work item of Dispatch or a handler of a timer source.
      case start
    }

    /// The kind of the decision.
    public let kind: Kind
    /// The number of options; at least two.
    public let options: Int
    /// The option taken, in `0..<options`; 0 is the natural one.
    public let taken: Int

    /// Creates a decision of `kind` that took option `taken` of `options`.
    public init(kind: Kind, options: Int, taken: Int) {
      self.kind = kind
      self.options = options
      self.taken = taken
    }
  }
}

extension Schedule.Choice.Kind {
  /// Returns how many of `options` are tried where options are tried one after the other: all, but only the usual draw of
  /// random numbers. No draw is smaller than another, and there are far too many.
  package func inOrder(_ options: Int) -> Int { self == .draw ? 1 : options }
}

extension Schedule.Choice {
  package var optionsInOrder: Int { kind.inOrder(options) }

  /// Reads three numbers without names, because an execution has very many choices.
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    try self.init(
      kind: values.decode(Kind.self), options: values.decode(Int.self), taken: values.decode(Int.self))
  }

  /// Writes three numbers: the kind, the number of options, and the option taken.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(kind)
    try values.encode(options)
    try values.encode(taken)
  }
}
