public import Simulator

/// A screen that loads something, and what it says of that: from this follow the invariants that are true of every screen.
///
/// A system has one as a static property, and adds its ``checks`` to its own; the guide “A system of your own” shows that.
///
/// A rule that is not true of a screen is left out with a reason, which `simrun list SYSTEM` shows. The opposite of the rule must then be
/// possible: a story shows it.
public struct SystemScreen: Sendable {
  /// What is true of every screen.
  public enum Rule: String, CaseIterable, Hashable, Sendable {
    /// The screen shows the answer to the latest request, and never goes back.
    case latestWins = "latest-wins"
    /// What the newest load has brought is not taken away by an older one.
    case newestOutcomeStays = "newest-outcome-stays"
    /// A cancel is not shown as a failure.
    case cancelIsNotFailure = "cancel-is-not-failure"
    /// If nothing has failed, the screen shows success in the end.
    case successIsShown = "success-is-shown"
    /// If everything has failed, the screen shows failure in the end.
    case failureIsShown = "failure-is-shown"
    /// While the user waits, the screen says so.
    case waitIsShown = "wait-is-shown"
    /// When all is at rest, the screen says of nothing that it is loading.
    case loadingEnds = "loading-ends"
    /// After a failure or a cancel, the screen shows the next success.
    case recoveryIsShown = "recovery-is-shown"
  }

  /// A rule that is not true of the screen.
  public struct Exception: Sendable {
    /// The invariant that is left out.
    package let check: SystemCheck
    /// The line in the descriptor.
    public let descriptor: SystemDescriptor.Exception

    /// An invariant that is not true here, for this reason.
    public init(_ invariant: Invariant, _ reason: String) { self.init(SystemCheck(invariant), reason) }

    init(_ check: SystemCheck, _ reason: String) {
      self.check = check
      descriptor = SystemDescriptor.Exception(check.descriptor.name, reason)
    }
  }

  /// The invariants of the screen.
  public let checks: [SystemCheck]
  /// The rules that are left out.
  public let exceptions: [Exception]

  /// A screen.
  ///
  /// - Parameters:
  ///   - name: The observed value.
  ///   - part: The part of it that holds the status, if it is a record.
  ///   - answers: The operations whose answers it shows, each with the part that shows it; nil if it is the whole value.
  ///   - initially: What it shows before anything was loaded.
  ///   - waiting: The status while the user waits.
  ///   - failed: The status after a failure.
  ///   - actions: The actions that load; none for all.
  ///   - operations: The operations that a load needs, each of them.
  ///   - alsoOn: Further observed values that keep the whole answer.
  ///   - refusals: The actions by which the user does without.
  ///   - triesAgainOnReturn: True if a failed load is tried again only when the screen comes back.
  ///   - exceptions: The rules that are not true of it, with the reason.
  ///   - shown: Returns an answer as the screen shows it.
  public init(
    _ name: String, _ part: String? = nil, showing answers: [String: String?] = [:],
    initially: Trace.Value..., waiting: Trace.Value = "loading", failed: Trace.Value = "failed",
    after actions: [String] = [], waitsFor operations: [String], alsoOn others: [String] = [],
    unless refusals: [String] = [], triesAgainOnReturn: Bool = false,
    except exceptions: [Rule: String] = [:],
    as shown: @escaping @Sendable (Trace.Value) -> Trace.Value = { $0 }
  ) {
    let unsuccessful = initially + [waiting, failed]
    var invariants: [Rule: Invariant] = [
      .newestOutcomeStays: .newestOutcomeStays(
        ofAny: operations, by: actions, on: name, part, not: unsuccessful),
      .cancelIsNotFailure: .cancelIsNotFailure(on: name, part, failed: failed),
      .successIsShown: .successIsShown(
        ofAny: actions, on: name, part, not: unsuccessful, unlessAny: refusals),
      .failureIsShown: .failureIsShown(ofAny: operations, by: actions, on: name, part, as: failed),
      .waitIsShown: .waitIsShown(
        forAny: operations, of: actions, on: name, part, as: waiting, resting: initially + [failed]),
      .loadingEnds: .loadingEnds(on: name, part: part, as: waiting),
      .recoveryIsShown: .recoveryIsShown(
        ofAny: actions, on: name, part, not: unsuccessful, onlyOnReturn: triesAgainOnReturn),
    ]
    if !answers.isEmpty {
      invariants[.latestWins] = .all(
        answers.sorted { $0.key < $1.key }.map { operation, answer in
          .latestWins(
            operation, on: name, answer, failing: part, as: failed, alsoOnAny: others,
            showing: shown)
        })
    }
    // An action that does not wait for its load gives nothing to judge.
    invariants[.newestOutcomeStays]?.mayBeVacuous = true
    let rules = Rule.allCases.compactMap { rule in invariants[rule].map { (rule, $0) } }
    checks = rules.filter { exceptions[$0.0] == nil }.map { SystemCheck($0.1) }
    self.exceptions = rules.compactMap { rule, invariant in
      exceptions[rule].map { Exception(invariant, $0) }
    }
  }
}
