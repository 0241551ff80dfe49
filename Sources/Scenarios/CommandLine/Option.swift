/// The options that the commands take.
enum Option: String, CaseIterable, Sendable {
  case filter = "--filter"
  case holding = "--holding"
  case schedules = "--schedules"
  case seed = "--seed"
  case strategy = "--strategy"
  case fresh = "--fresh"
  case strict = "--strict"
  case jobs = "--jobs"
  case timeLimit = "--time-limit"
  case shard = "--shard"
  case shards = "--shards"
  case actions = "--actions"
  case bound = "--bound"
  case variant = "--variant"
  case partial = "--partial"
  case record = "--record"
  case write = "--write"
  case replace = "--replace"
  case format = "--format"
  case output = "--output"
  case timings = "--timings"
  case verbose = "--verbose"
  case markdown = "--markdown"
  case pages = "--pages"
  case help = "--help"
  case version = "--version"

  var takesValue: Bool {
    switch self {
    case .filter, .schedules, .seed, .strategy, .jobs, .timeLimit, .shard, .shards, .format, .output,
      .actions, .bound, .variant, .pages:
      true
    case .holding, .fresh, .strict, .record, .write, .replace, .timings, .verbose, .markdown, .partial, .help,
      .version:
      false
    }
  }

  /// The same in a command: what `run` records stands in its files, and a story needs one.
  func takesValue(in command: CommandName?) -> Bool {
    takesValue || self == .record && (command == .fuzz || command == .replay)
  }

  /// What `command` takes; nil stands for a command line without one.
  static func all(of command: CommandName?) -> [Option] {
    switch command {
    case nil, .run:
      allCases.filter {
        ![.partial, .actions, .bound, .variant, .write, .replace, .markdown, .pages].contains($0)
      }
    case .fuzz:
      allCases.filter {
        ![.partial, .holding, .strategy, .fresh, .write, .replace, .markdown, .pages].contains($0)
      }
    case .expect: [.write, .replace, .filter, .jobs, .help, .version]
    case .merge: [.partial, .format, .output, .verbose, .help, .version]
    case .replay: [.record, .output, .help, .version]
    case .trace: [.output, .help, .version]
    case .list: [.markdown, .pages, .help, .version]
    default: [.help, .version]
    }
  }
}
