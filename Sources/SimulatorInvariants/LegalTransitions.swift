public import SimulatorCore

extension Invariant {
  /// A state is followed only by a state that may follow it, and a transient state is never the last.
  ///
  /// The race: work that began in one state ends in another, and sets the state regardless.
  ///
  /// ```swift
  /// state = .loggingIn
  /// let user = try await service.signIn()   // signs out meanwhile; or throws, and it is logging in for ever
  /// state = .loggedIn(user)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The observed value.
  ///   - part: The part of it that holds the state, if it is a record.
  ///   - allowed: For each state, the states that may follow it; none for a state that is not listed.
  ///   - passing: The transient states, in which it must not be when all is at rest.
  public static func legalTransitions(
    on name: String, _ part: String? = nil, allowing allowed: [Trace.Value: Set<Trace.Value>],
    passing: Set<Trace.Value> = []
  ) -> Invariant {
    Invariant("legal-transitions", "A state is left only for one that may follow it.") {
      LegalTransitions(name: name, part: part, allowed: allowed, passing: passing)
    }
  }
}

private struct LegalTransitions: Invariant.Monitor {
  let name: String
  let part: String?
  let allowed: [Trace.Value: Set<Trace.Value>]
  let passing: Set<Trace.Value>
  private var state: Trace.Value?
  /// The states that may follow a state that has been left.
  private var lateFollowers: Set<Trace.Value> = []
  private var activity = Activity()
  private(set) var judged = false
  private(set) var diagnosis: Invariant.Diagnosis?

  init(name: String, part: String?, allowed: [Trace.Value: Set<Trace.Value>], passing: Set<Trace.Value>) {
    self.name = name
    self.part = part
    self.allowed = allowed
    self.passing = passing
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    guard case .changed(name, let from, let to) = event.kind else { return nil }
    let (before, after) = (state(in: from), state(in: to))
    state = after
    guard from != .none, before != after else { return nil }
    judged = true
    let followers = allowed[before] ?? []
    defer { lateFollowers.formUnion(followers) }
    guard !followers.contains(after) else { return nil }
    diagnosis = lateFollowers.contains(after) ? .leftState : nil
    return "at \(event.time) \(name) went from \(before) to \(after); \(described(followers)) may follow"
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard let state, passing.contains(state), activity.isQuiet else { return nil }
    diagnosis = .leftHalfWay
    return "at rest \(name) is \(state), which is only to be passed through"
  }

  private func state(in value: Trace.Value) -> Trace.Value { part.flatMap { value[$0] } ?? value }

  private func described(_ followers: Set<Trace.Value>) -> String {
    followers.isEmpty ? "nothing" : "only " + followers.map(\.description).sorted().joined(separator: " or ")
  }
}
