public import Simulator

/// The layers of a system, and what is true where they meet: from this follow the rules of the boundaries.
///
/// A system has one as a static property, and adds its ``checks`` to its own, as with ``SystemScreen``. A rule that is not true of
/// a system is left out with a reason, which `simrun list SYSTEM` shows.
public struct SystemBoundaries: Sendable {
  /// What is true of every boundary.
  public enum Rule: String, CaseIterable, Hashable, Sendable {
    /// The screen changes on the main actor only.
    case screenOnlyOnMain = "screen-only-on-main"
    /// The main actor is never kept busy for longer than a frame takes.
    case mainActorResponsive = "main-actor-responsive"
    /// Network and store have different owners.
    case ownersApart = "owners-apart"
    /// Network and store are asked off the main actor.
    case askedOffMain = "asked-off-main"
    /// When nobody wants an answer any more, the request is canceled.
    case cancellationReachesTransport = "cancellation-reaches-transport"
    /// What is reported as saved is there after a relaunch.
    case savedIsKept = "saved-is-kept"
    /// An action waits only for what it needs.
    case stallsNoOther = "stalls-no-other"
  }

  /// The names of the rules that `simrun audit` judges: these, and that every task is owned.
  package static let audited = Rule.allCases.map(\.rawValue) + ["nothing-outlives"]

  /// The invariants of the boundaries.
  public let checks: [SystemCheck]
  /// The rules that are left out.
  public let exceptions: [SystemScreen.Exception]

  /// The boundaries of a system. A rule concerns it if it has the layers that the rule is about.
  ///
  /// - Parameters:
  ///   - screens: The observed values that are shown.
  ///   - network: The fakes that stand for servers.
  ///   - stores: The fakes that stand for disks.
  ///   - requests: The requests that only actions make.
  ///   - hasWork: True if a layer has work that takes time.
  ///   - saving: `savedIsKept`, for what is reported as saved.
  ///   - needs: By action, the operations that it may wait for; for the actions that need less than the others.
  ///   - exceptions: The rules that are not true of it, with the reason.
  public init(
    screens: [String] = [], network: [String] = [], stores: [String] = [], requests: [String] = [],
    hasWork: Bool = false, saving: Invariant? = nil, needs: [String: [String]] = [:],
    except exceptions: [Rule: String] = [:]
  ) {
    var checks: [Rule: SystemCheck] = [:]
    if !screens.isEmpty { checks[.screenOnlyOnMain] = SystemCheck(.screenOnlyOnMain(screens)) }
    if hasWork {
      checks[.mainActorResponsive] = Self.bounded(.milliseconds(16)) { .mainActorResponsive(within: $0) }
    }
    if !network.isEmpty, !stores.isEmpty {
      checks[.ownersApart] = SystemCheck(.ownersApart(network: network, stores: stores)).ofStructure
    }
    if !network.isEmpty || !stores.isEmpty {
      checks[.askedOffMain] = SystemCheck(.askedOffMain(network + stores)).ofStructure
    }
    if !requests.isEmpty {
      checks[.cancellationReachesTransport] = Self.bounded(.zero) {
        .cancellationReachesTransport(requests, within: $0)
      }
    }
    if let saving { checks[.savedIsKept] = SystemCheck(saving) }
    if !needs.isEmpty { checks[.stallsNoOther] = SystemCheck(.stallsNoOther(needs)) }
    let rules = Rule.allCases.compactMap { rule in checks[rule].map { (rule, $0) } }
    self.checks = rules.filter { exceptions[$0.0] == nil }.map(\.1)
    self.exceptions = rules.compactMap { rule, check in
      exceptions[rule].map { SystemScreen.Exception(check, $0) }
    }
  }

  private static func bounded(
    _ usual: Nanoseconds, _ invariant: @escaping @Sendable (Duration) -> Invariant
  ) -> SystemCheck {
    SystemCheck(invariant(.zero), .duration, usual: .duration(usual)) { value in
      guard case .duration(let bound)? = value else { return nil }
      return invariant(bound.duration)
    }
  }
}
