import Simulator

/// What a search has covered completely.
struct ExhaustionReport: Equatable, Sendable {
  let kind: Exhaustion
  /// How many schedules that took.
  let schedules: Int
  /// In words.
  let text: String
}
