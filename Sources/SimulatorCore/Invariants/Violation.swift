extension Invariant {
  /// One proof that an invariant does not hold.
  public struct Violation: Codable, Sendable {
    /// The invariant's name.
    public let invariant: String
    /// The kind of fault that it shows; nil if that is not known for certain.
    public package(set) var diagnosis: Invariant.Diagnosis?
    /// The proof of the diagnosis, if the invariant did not give one: who was involved, and where.
    public package(set) var evidence: String?
    /// The problem, in a sentence that contains the values.
    public package(set) var message: String
    /// The virtual time at which it was noticed.
    public let time: VirtualInstant
    /// The step at which it was noticed.
    public let step: Int
    /// The number of the execution that found it, from 0.
    public let number: Int
    /// The token that replays it.
    public let token: Schedule.Token
    /// The complete trace of its execution.
    public let trace: Trace

    /// The result of making its schedule smaller; nil if that was not tried.
    public package(set) var shrinking: Invariant.Shrinking?

    /// The result of replaying its schedule in a fresh process; nil if that was not tried.
    public package(set) var freshReplay: FreshReplay?
    /// The origin of the copy that such a process is.
    package var freshOrigin = Invariant.Violation.FreshOrigin.search

    package init(
      invariant: String, diagnosis: Invariant.Diagnosis?, message: String, time: VirtualInstant,
      step: Int, number: Int, token: Schedule.Token, trace: Trace
    ) {
      (self.invariant, self.diagnosis, self.message) = (invariant, diagnosis, message)
      (self.time, self.step, self.number, self.token, self.trace) = (time, step, number, token, trace)
    }

    /// The outcome of replaying a violating schedule in a process that has run nothing before it.
    public enum FreshReplay: String, Hashable, Codable, CaseIterable, Sendable {
      /// It shows the same violation.
      case shown
      /// It shows no violation: what earlier executions left behind contributes to it.
      case notShown = "not-shown"
      /// It shows the same violation, but later executions of one process do not.
      case onlyInFreshProcess = "only-there"
    }

    /// True if its schedule alone determines it.
    package var isReducible: Bool {
      invariant != Invariant.BuiltIn.escape && invariant != Invariant.BuiltIn.nondeterminism
        && freshReplay != .notShown
    }
  }
}
