import Simulator

/// What a search has covered completely.
struct ExhaustionReport: Equatable, Sendable {
  let kind: Coverage
  /// How many schedules that took.
  let schedules: Int
  /// In words.
  let text: String
}
