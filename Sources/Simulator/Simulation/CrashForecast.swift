/// Knows how executions end that would end the process: what runs them asks before each, and leaves one that would not
/// come to its end off just before it dies.
protocol CrashForecast: AnyObject {
  /// How the execution that is to begin will end the process; nil if it will not, or if that is not known. With
  /// `isThorough` nothing is spared to make sure.
  func next(isThorough: Bool) -> Death?

  /// No execution follows.
  func end()

  /// Why nothing can be foreseen; nil if it can.
  var refusal: String? { get }
}
