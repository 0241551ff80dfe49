/// Knows which executions would end the process, and how. The runner asks it before each execution, and stops an
/// execution that would end the process just before that point.
package protocol CrashForecast: AnyObject {
  /// Returns how the next execution will end the process; nil if it will not, or if that is not known. With
  /// `isThorough` no effort is spared to make sure.
  func next(isThorough: Bool) -> Death?

  /// Notes that no execution follows.
  func end()

  /// The reason why nothing can be foreseen; nil if it can.
  var refusal: String? { get }
}
