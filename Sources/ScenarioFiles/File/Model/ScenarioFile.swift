/// A scenario file in which everything has been checked.
package struct ScenarioFile: Equatable, Sendable {
  /// The version of the format that this reads.
  package static let version = 1

  /// As the file was named on the command line.
  package let name: String
  /// The files whose scenarios belong to this one, in its order.
  let includes: [Include]
  /// In the order of the file; no two have the same name.
  package let scenarios: [Scenario]

  /// The text of the file.
  package let bytes: [UInt8]
  /// The former words in the file, in the order of their positions.
  package let formerWords: [FormerWord]

  /// Another file that a file names.
  struct Include: Equatable, Sendable {
    /// Relative to the folder of the file that names it, and inside that folder.
    let path: String
    let position: SourcePosition
  }
}
