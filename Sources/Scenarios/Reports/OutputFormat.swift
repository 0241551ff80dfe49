/// How a report can be told.
enum OutputFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// One document, versioned, as `simrun schema report` says.
  case json
  /// As GitHub, GitLab and Jenkins read it.
  case junit
  /// Annotations of the files, as workflow commands of GitHub.
  case github
}

/// A report that is to be written to a file.
struct OutputFile: Equatable, Sendable {
  let format: OutputFormat
  /// As it was named on the command line.
  let path: String
}

/// What is to be told, and where.
struct Outputs: Equatable, Sendable {
  /// What standard output gets.
  var format = OutputFormat.text
  var files: [OutputFile] = []
  /// Whether wall-clock times are told.
  var hasTimings = false

  /// Whether some report tells the story of every violation, known or not.
  var tellAll: Bool { ([format] + files.map(\.format)).contains { $0 == .json || $0 == .junit } }
}
