import ScenarioFiles

/// The interface between the command line and the engine.
///
/// An error thrown by either method means that the simulator itself failed; the tool reports it and exits
/// with 3.
protocol ScenarioEngine {
  /// Runs the scenarios in this order and reports each where the request says.
  ///
  /// Standard output must be the same, byte for byte, for the same request: no figure of the wall clock in
  /// it.
  func run(_ request: RunRequest, on terminal: Terminal) throws -> ToolStatus

  /// Plays scenarios of the systems described by `descriptors`, and explains their races and fixes.
  func explain(
    _ descriptors: [SystemDescriptor], _ entries: [RunRequest.Entry], on terminal: Terminal
  ) throws -> [SystemExplanation]

  /// Searches scenarios, each to the end of its budget whatever it finds, and answers what the variants of each did.
  func outcomes(
    of scenarios: [Scenario], _ settings: PoolSettings, on terminal: Terminal
  ) throws -> [[SeenOutcome]]

  /// Plays every variant in the natural order and judges the rules of the boundaries. Shows them all in a table, or in detail, with
  /// which layer is asked from which domain. As expected means: each variant breaks the rules that its descriptor names.
  func audit(_ scenarios: [Scenario], inDetail: Bool, on terminal: Terminal) throws -> ToolStatus

  /// Shows one schedule as a timeline. As expected means: the same invariant is violated, with the same
  /// digest, or nothing is any more.
  func replay(_ request: ReplayRequest, on terminal: Terminal) throws -> ToolStatus
}

/// Scenarios to run, all of them checked.
struct RunRequest: Equatable, Sendable {
  /// One scenario and the file in which it stands.
  struct Entry: Equatable, Sendable {
    let file: String
    /// Its search already says what the command line says.
    let scenario: Scenario
  }

  /// In the order of the files.
  let entries: [Entry]
  /// Whether what is no longer found, or only seems to be tested, is a failure.
  var isStrict = false
  /// How many work at it, and for how long.
  var pool = PoolSettings()
  var outputs = Outputs()
  /// How the search is divided into shards; nil where it is not.
  var division: Division?
  /// Adds newly found schedules to the files; nil without `--record`.
  var recording: Recording?
  /// Writes the stories that break something; nil where that is not asked for.
  var stories: StoryRecording?
}

/// A schedule to show. The variant exists and the token can be read.
struct ReplayRequest: Equatable, Sendable {
  let file: String
  let scenario: Scenario
  let variant: String
  /// Nil for the natural order.
  let token: String?
  /// Writes its story; nil where that is not asked for.
  var stories: StoryRecording?
  /// The file that gets a page; nil where that is not asked for.
  var page: String?
}
