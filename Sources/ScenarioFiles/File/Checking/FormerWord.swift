/// A word of a scenario file that has been replaced by another. Files may go on to use it.
package struct FormerWord: Equatable, Sendable, CustomStringConvertible {
  package let position: SourcePosition
  /// The word in the file.
  let word: String
  /// The word to write now.
  let current: String

  package var description: String {
    "\(Echo.quoted(word)) is now called \(Echo.quoted(current)); write that, it means the same"
  }

  /// The former keys, each with the key that replaced it.
  static let keys = ["reaches": "arrivalDelay", "stepsAtOneInstant": "stepLimitPerInstant"]
  /// The former values of `"steps"`, each with the value that replaced it.
  static let steps = ["overlapping": "preemptible", "whole": "atomic"]
}
