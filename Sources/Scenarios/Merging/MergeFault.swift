import ScenarioFiles
import SimulatorFiles

/// The reason why reports cannot be joined.
enum MergeFault: Error, Equatable, Sendable {
  case unreadable(UnreadableFile)
  case tooLarge(String, mebibytes: Int)
  case noReport(String, reason: String)
  case otherVersion(String, found: Int)
  case otherTool(String, found: String)
  case notDivided(String)
  case interrupted(String)
  case different(String, from: String, Difference)
  case doubled(Int, String, String)
  case missing([Int], of: Int)

  /// Something in which all shards of a run agree.
  enum Difference: String, Sendable {
    case shards = "the number of shards"
    case executable = "the build"
    case seed = "the seed"
    case files = "the scenario files"
    case options = "the options"
    case scenarios = "the scenarios in it"
  }
}

extension MergeFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreadable(let file): "\(file)"
    case .tooLarge(let file, let most):
      "\(Echo.plain(file)): is larger than \(most) MiB, which no report is; name the file that --output json=PATH wrote"
    case .noReport(let file, let reason):
      "\(Echo.plain(file)): is no whole report in JSON: \(Echo.plain(reason)); run its shard again with --output json=PATH"
    case .otherVersion(let file, let found):
      "\(Echo.plain(file)): has version \(found) of the format, and this tool reads version \(RunReport.version); "
        + "run its shard again with this build"
    case .otherTool(let file, let found):
      "\(Echo.plain(file)): comes from version \(Echo.plain(found, limit: 40)) of the tool, and this is "
        + "\(ToolIdentity.version); merge with the tool that wrote it"
    case .notDivided(let file):
      "\(Echo.plain(file)): is the report of a run that was not divided; make it with --shard I/N"
    case .interrupted(let file):
      "\(Echo.plain(file)): was ended by a signal before its end; run its shard again, which starts from nothing"
    case .different(let file, let other, let difference):
      "\(Echo.plain(file)): is of another run than \(Echo.plain(other)): \(difference.rawValue) "
        + "\(difference.isPlural ? "differ" : "differs"); \(difference.cure)"
    case .doubled(let shard, let file, let other):
      "\(Echo.plain(file)): holds shard \(shard), and so does \(Echo.plain(other)); leave one of them out"
    case .missing(let shards, let count):
      "\(shards.count == 1 ? "shard" : "shards") \(ShardSet.numbers(shards)) of \(count) "
        + "\(shards.count == 1 ? "is" : "are") missing; name \(shards.count == 1 ? "its report" : "their reports") too, "
        + "or say --partial to join what is there"
    }
  }
}

extension MergeFault.Difference {
  fileprivate var isPlural: Bool {
    switch self {
    case .files, .options, .scenarios: true
    case .shards, .executable, .seed: false
    }
  }

  fileprivate var cure: String {
    switch self {
    case .shards: "run all shards with the same N in --shard I/N"
    case .executable: "build once, and run that one executable everywhere"
    case .seed: "run all shards with the same --seed"
    case .files: "give all shards the same files under the same names"
    case .options: "run all shards with the same options"
    case .scenarios: "run its shard again"
    }
  }
}
