public import SimulatorCore

extension Invariant {
  /// Once the user has left, the screen stays as it is until they come back.
  ///
  /// The race: a reply that was in flight when the screen closed changes it all the same.
  ///
  /// ```swift
  /// func appear() { Task { profile = try await network.profile() } }   // nobody keeps the task
  /// func disappear() {}                                                // so nobody can cancel it
  /// ```
  ///
  /// A change in the same step in which the user leaves is part of leaving and is not judged.
  ///
  /// - Parameters:
  ///   - screens: The observed values that make up the screen.
  ///   - owner: The owner whose dismissal counts; nil for any owner.
  public static func nothingAfterDismissal(of screens: String..., by owner: String? = nil) -> Invariant {
    Invariant(
      "nothing-after-dismissal", "The screen does not change once the user has left it.",
      diagnosis: .outlivedOwner
    ) {
      NothingAfterDismissal(screens: screens, dismissal: Dismissal(owner: owner))
    }
  }
}

private struct NothingAfterDismissal: Invariant.Monitor {
  let screens: [String]
  var dismissal: Dismissal
  private(set) var judged = false

  init(screens: [String], dismissal: Dismissal) {
    self.screens = screens
    self.dismissal = dismissal
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    dismissal.saw(event)
    guard let left = dismissal.moment(before: event) else { return nil }
    judged = true
    guard case .changed(let name, let from, let to) = event.kind, screens.contains(name) else { return nil }
    return "the user left at \(left.time), and at \(event.time) \(name) changed from \(from) to \(to)"
  }
}

/// Tracks when the user left, until they come back.
struct Dismissal {
  let owner: String?
  private var left: (event: Trace.Event, owner: String)?

  init(owner: String?) {
    self.owner = owner
  }

  mutating func saw(_ event: Trace.Event) {
    switch event.kind {
    case .dismissed(let owner) where left == nil && (self.owner == nil || owner == self.owner):
      left = (event, owner)
    case .appeared(left?.owner): left = nil
    default: break
    }
  }

  /// Returns the dismissal, if its step had ended when `event` happened.
  func moment(before event: Trace.Event) -> Trace.Event? {
    guard let left = left?.event, event.step > left.step else { return nil }
    return left
  }
}
