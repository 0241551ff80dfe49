/// When a script line begins.
enum ScriptTime: Hashable, Codable, Sendable {
  /// At one of these times, counted from the beginning of the execution.
  case offered(TimeOffer)
  /// `"anytime"`: at any scheduling point, and just before any timer; naturally when all is at rest.
  case anytime

  /// `"everywhere"`, of a cancel: at every suspension point of the task in turn; naturally never.
  case everywhere

  static let everywhereText = "everywhere"
  static let anytimeText = "anytime"
}
