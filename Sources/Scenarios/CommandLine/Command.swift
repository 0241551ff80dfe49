import ScenarioFiles

/// The command that a command line names.
enum Command: Equatable, Sendable {
  case run(RunOptions)
  case fuzz(FuzzOptions)
  case merge(MergeOptions)
  /// One system, or all; as a page of Markdown.
  /// `pages` is the folder into which the pages of the systems are written.
  case list(system: String?, asMarkdown: Bool, pages: String? = nil)
  case check(files: [String])
  case schema(SchemaKind)
  case new(NewOptions)
  case expect(ExpectOptions)
  case replay(ReplayOptions)
  case trace(ReplayOptions)
  case audit(file: String?, scenario: String?)
  case exits
  case help(CommandName?)
  case version
}

/// The commands by the names that one types.
enum CommandName: String, CaseIterable, Sendable {
  case run
  case fuzz
  case merge
  case list
  case check
  case schema
  case new
  case expect
  case replay
  case trace
  case audit
  case exits
}

/// What a schema describes.
enum SchemaKind: Equatable, Sendable {
  /// Scenario files.
  case scenarios
  /// Scenario files that play this system only.
  case system(String)
  case report

  /// By the name that one types: a system's own, or one of `words`.
  init?(named name: String, in vocabulary: Vocabulary) {
    switch name {
    case "scenarios": self = .scenarios
    case "report": self = .report
    case _ where vocabulary.system(name) != nil: self = .system(name)
    default: return nil
    }
  }

  static let words = ["scenarios", "report"]
}

/// `simrun [run] [OPTION]... [FILE]...`
struct RunOptions: Equatable, Sendable {
  var files: [String] = []
  /// Runs only the scenarios whose names match one of these; all where there is none.
  var filters: [Glob] = []
  /// Runs only the variants that are to hold.
  var isHoldingOnly = false
  var overrides = SearchOverrides()
  /// Whether what is no longer found, or only seems to be tested, is a failure.
  var isStrict = false
  /// How many work at it, and for how long.
  var pool = PoolSettings()
  var outputs = Outputs()
  /// Whether newly found schedules are added to the files.
  var records = false
  /// Which shards of the search are run; nil where it is not divided.
  var shards: ShardChoice?
}

/// `simrun fuzz [OPTION]... [SYSTEM]...`
struct FuzzOptions: Equatable, Sendable {
  /// All of them unless named.
  var systems: [String] = []
  /// All of them unless named.
  var variants: [String] = []
  /// Plays only the scenarios of which the name, or that of the system, matches one of these; all where there is none.
  var filters: [Glob] = []
  var stories = StoryOptions()
  var isStrict = false
  var pool = PoolSettings()
  var outputs = Outputs()
  var shards: ShardChoice?
  /// The file that stories are written to that break something; nil where none is asked for.
  var recording: String?
}

/// `simrun new SYSTEM [FILE]`
struct NewOptions: Equatable, Sendable {
  let system: String
  /// The file that is made; nil for standard output.
  var path: String?
}

/// `simrun expect [OPTION]... [FILE]...`
struct ExpectOptions: Equatable, Sendable {
  var files: [String] = []
  /// Looks only at scenarios whose names match one of these; at all where there is none.
  var filters: [Glob] = []
  /// Whether what was seen is written to the files.
  var writes = false
  /// Whether variants are looked at of which the file says something already.
  var replaces = false
  var pool = PoolSettings()
}

/// `simrun merge [OPTION]... REPORT...`
struct MergeOptions: Equatable, Sendable {
  /// The reports in JSON.
  var files: [String] = []
  /// Whether shards may be missing.
  var isPartial = false
  var outputs = Outputs()
}

/// `simrun replay FILE SCENARIO VARIANT TOKEN`, or `simrun trace FILE SCENARIO VARIANT [TOKEN]`
struct ReplayOptions: Equatable, Sendable {
  let file: String
  let scenario: String
  let variant: String
  /// Nil for the natural order.
  let token: String?
  /// The file that the story is written to; nil where none is asked for.
  var recording: String?
  /// The file that the page is written to; nil where none is asked for.
  var page: String?
}
