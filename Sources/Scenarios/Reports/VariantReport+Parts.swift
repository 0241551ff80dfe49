import ScenarioFiles
import Simulator
import SimulatorReports

extension Page.Mark: ReportWord {}
extension Explorer.Report.Interruption: ReportWord {}

/// The processes in which executions ran.
struct ProcessesReport: ReportObject {
  enum Kind: String, ReportWord {
    case eachFresh = "each-fresh"
    case oneAndFresh = "one-and-fresh"
    case fewAndFresh = "few-and-fresh"
    case one
  }

  var kind = Kind.one
  var why: String?
  var shards: Int?

  static let about = "The processes in which executions ran."
  static let keys = list {
    key("kind", \.kind, "The kind of processes.")
    derived("text", \.text, "The processes in words.")
    key("why", \.why, "Why none ran in a fresh process, if that was wanted.")
    key(
      "shards", \.shards,
      "The number of shards that tried something, each in its own processes; absent if the run was not divided."
    )
  }

  mutating func complete() throws(ReportFlaw) {
    if why != nil, kind != .one { throw ReportFlaw(.impossible, at: "why") }
  }

  /// The processes of a search.
  var value: Explorer.Processes {
    switch kind {
    case .eachFresh: .eachFresh
    case .oneAndFresh: .oneAndFresh
    case .fewAndFresh: .fewAndFresh
    case .one: .one(why: why)
    }
  }

  private var text: String { "\(value)" }
}

extension ProcessesReport {
  init(_ processes: Explorer.Processes, shards: Int? = nil) {
    switch processes {
    case .eachFresh: kind = .eachFresh
    case .oneAndFresh: kind = .oneAndFresh
    case .fewAndFresh: kind = .fewAndFresh
    case .one(let why): (kind, self.why) = (.one, why)
    }
    self.shards = shards
  }
}

/// What a search has covered completely.
struct CoverageReport: ReportObject {
  var goal = CoverageGoal()
  var schedules = 0
  var text = ""

  static let about = "What was covered completely."
  static let keys = list {
    key("goal", \.goal, "What was covered.")
    key("schedules", \.schedules, "The number of schedules that it took.")
    key("text", \.text, "The coverage in words.")
  }
}

/// What a search was to cover completely and has not.
struct ShortfallReport: ReportObject {
  var goal = CoverageGoal()
  var reason = Explorer.Report.Shortfall.ended
  var unseen: String?

  static let about = "What was to be covered completely and was not."
  static let keys = list {
    key("goal", \.goal, "What was to be covered.")
    key("reason", \.reason, "Why it was not.")
    key(
      "unseen", \.unseen, "The means by which the program shares state and which the search does not follow.")
    derived("text", \.text, "All of this in words.")
  }

  var text: String { reason.text(for: goal.value, unseen: unseen) }
}

extension Explorer.Report.Shortfall: ReportWord {}

/// What can be covered completely.
struct CoverageGoal: ReportObject {
  enum Kind: String, ReportWord {
    case everySchedule = "every-schedule"
    case deviations
    case everyBehavior = "every-behavior"
    case stories
  }

  var kind = Kind.everySchedule
  var deviations: Int?
  var actions: Int?
  var answers: Int?

  static let about = "What can be covered completely."
  static let keys = list {
    key("kind", \.kind, "The kind of coverage.")
    key("deviations", \.deviations, "The maximum number of deviations from the natural order.")
    key("actions", \.actions, "Of stories: the maximum number of actions.")
    key(
      "answers", \.answers,
      "Of stories: the maximum number of answers of the world other than the natural one.")
  }

  mutating func complete() throws(ReportFlaw) {
    guard self == CoverageGoal(value) else { throw ReportFlaw(.impossible) }
  }

  var value: Strategies.Coverage {
    switch kind {
    case .everySchedule: .everySchedule
    case .everyBehavior: .everyBehavior
    case .deviations: .deviations(atMost: deviations ?? 0)
    case .stories:
      .stories(
        Strategies.StoryBound(actions: actions ?? 0, answers: answers ?? 0, deviations: deviations ?? 0))
    }
  }
}

extension CoverageGoal {
  init(_ coverage: Strategies.Coverage) {
    switch coverage {
    case .everySchedule: kind = .everySchedule
    case .everyBehavior: kind = .everyBehavior
    case .deviations(let most): (kind, deviations) = (.deviations, most)
    case .stories(let bound):
      (kind, deviations) = (.stories, bound.deviations)
      (actions, answers) = (bound.actions, bound.answers)
    }
  }
}

/// The result of a recorded schedule.
struct ReplayReport: ReportObject {
  /// The possible results of a replay.
  enum Outcome: String, ReportWord {
    /// It violates invariants again, with the same trace.
    case reproduced
    /// It was recorded in the other build, where it is a hint that is tried first.
    case hint
    /// It runs as recorded and violates nothing.
    case harmless
    /// It no longer runs as recorded.
    case diverged
    /// It cannot be read.
    case unreadable
  }

  var token = ""
  var position = SourcePosition(line: 1, column: 1)
  var outcome = Outcome.hint
  var violated: [String] = []
  var detail: String?

  static let about = "The result of a recorded schedule."
  static let keys = list {
    key("token", \.token, "The schedule.")
    key("line", \.position.line, "The line in its file, from 1.")
    key("column", \.position.column, "The column in Unicode scalars, from 1.")
    key(
      "outcome", \.outcome,
      "It violates something again; it is of the other build and only tried; it violates nothing any more; it no longer runs "
        + "as recorded; it cannot be read.")
    key("violated", \.violated, "The invariants that it violates again.")
    key("detail", \.detail, "How it diverged, or why it cannot be read, in words.")
  }

  mutating func complete() throws(ReportFlaw) {
    let isDetailed = outcome == .diverged || outcome == .unreadable
    guard isDetailed == (detail != nil), violated.isEmpty == (outcome != .reproduced) else {
      throw ReportFlaw(.impossible, at: "outcome")
    }
  }

  /// Whether it no longer shows what it was recorded for.
  var isOutdated: Bool { outcome != .reproduced && outcome != .hint }
}

extension Explorer.Ratio: ReportObject {
  init() { self.init(count: 0, total: 1) }

  static let about = "A count out of a total."
  static let keys = list {
    key("count", \.count, "The count.") { $0 = Explorer.Ratio(count: $1, total: $0.total) }
    key("total", \.total, "The total.") { $0 = Explorer.Ratio(count: $0.count, total: $1) }
  }

  func complete() throws(ReportFlaw) {
    guard count <= total, total > 0 else { throw ReportFlaw(.impossible) }
  }
}

extension Explorer.CancellationCoverage: ReportObject {
  init() { self.init(points: 0) }

  static let about = "The suspension points at which a cancel has come."
  static let keys = list {
    key("points", \.points, "The number of suspension points.") {
      $0 = Explorer.CancellationCoverage(points: $1, covered: $0.covered)
    }
    key("covered", \.covered, "The number of points, from the first on, at which the cancel came.") {
      $0 = Explorer.CancellationCoverage(points: $0.points, covered: $1)
    }
  }
}

extension StoryCoverage.Kind: ReportWord {}

extension StoryCoverage.Part: ReportObject {
  init() { self.init(kind: .actions, tried: [], never: []) }

  static let about = "One kind of what a user may do, or the world may answer."
  static let keys = list {
    key("kind", \.kind, "The kind.")
    key("tried", \.tried, "What was tried, sorted.")
    key("never", \.never, "What was never tried, sorted.")
  }
}

/// What a variant's report keeps besides, so that others can be joined with it.
struct VariantPart: ReportObject {
  var behaviors = BehaviorList()
  var hasAtomicSteps = false
  var hasPreemptibleSteps = false
  var untested: [Unused]?
  var pairs: [Explorer.TimerPairs.Entry] = []
  var hasMorePairs = false

  static let about = "What it takes to join a variant with the same variant of other shards."
  static let keys = list {
    key("behaviors", \.behaviors, BehaviorList.about)
    key("atomicSteps", \.hasAtomicSteps, "Whether a shard has searched with atomic steps.")
    key("preemptibleSteps", \.hasPreemptibleSteps, "Whether a shard has searched with preemptible steps.")
    key(
      "untested", \.untested,
      "What no execution has used or judged; absent if the variant is not to hold, or its search was ended.")
    key(
      "pairs", \.pairs, unless: [],
      "The pairs of ends of timers that could have come together, ascending.")
    key(
      "morePairs", \.hasMorePairs, unless: false,
      "Whether there may be more pairs: a search follows only so many.")
  }

  mutating func complete() throws(ReportFlaw) {
    guard zip(pairs, pairs.dropFirst()).allSatisfy({ ($0.one, $0.other) < ($1.one, $1.other) }) else {
      throw ReportFlaw(.impossible, at: "pairs")
    }
  }
}

/// The behaviors that a search has distinguished, as one text.
struct BehaviorList: ReportValue {
  static let about =
    "The behaviors that were distinguished, in ascending order; of many, those with the smallest digests. Each is sixteen "
    + "hexadecimal digits, and the number of independent samples that showed it: 0, 1, or 2 for more."

  var entries: [Explorer.BehaviorDigests.Entry] = []

  static func schema(_ about: String?) -> JSONTree { String.schema(about) }

  var json: JSONTree { .string(entries.map { $0.digest.hexadecimal + "\($0.samples)" }.joined()) }

  init(_ entries: [Explorer.BehaviorDigests.Entry] = []) { self.entries = entries }

  init(_ json: JSONTree) throws(ReportFlaw) {
    let digits = Array(try String(json).utf8)
    guard digits.count.isMultiple(of: 17), digits.count / 17 <= Explorer.BehaviorDigests.limit else {
      throw ReportFlaw(.impossible)
    }
    for start in stride(from: 0, to: digits.count, by: 17) {
      let text = String(decoding: digits[start..<start + 16], as: UTF8.self)
      let samples = Int(digits[start + 16]) - Int(UInt8(ascii: "0"))
      guard let digest = UInt64(text, radix: 16), digest.hexadecimal == text, (0...2).contains(samples),
        entries.last.map({ $0.digest < digest }) ?? true
      else { throw ReportFlaw(.impossible) }
      entries.append(Explorer.BehaviorDigests.Entry(digest: digest, samples: samples))
    }
  }

  /// Returns true if these can be the behaviors of a search that counted `count` of them.
  func fits(_ count: Int, isWhole: Bool) -> Bool { isWhole ? entries.count == count : entries.count <= count }
}
