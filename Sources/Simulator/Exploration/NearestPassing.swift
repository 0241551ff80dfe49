/// The schedule most similar to a failing one under which the invariant holds, as far as is known: it differs in one
/// choice, or where that is not enough in as few as delta debugging leaves.
public struct NearestPassing: Codable, Sendable {
  /// What replays it.
  public let token: ScheduleToken
  /// What happened under it, whole.
  public let trace: Trace
  /// How many events both runs share from the beginning.
  public let agreed: Int
  /// What this one then did.
  public let passing: String
  /// What the failing one then did.
  public let failing: String
}

extension NearestPassing: CustomStringConvertible {
  public var description: String {
    """
    nearest passing run: \(token)
    both agree for \(agreed) \(agreed == 1 ? "event" : "events"); then
      passing: \(passing)
      failing: \(failing)
    """
  }
}
