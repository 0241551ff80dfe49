/// The options that the commands take.
enum Option: String, CaseIterable, Sendable {
  case filter = "--filter"
  case schedules = "--schedules"
  case seed = "--seed"
  case strategy = "--strategy"
  case strict = "--strict"
  case jobs = "--jobs"
  case timeLimit = "--time-limit"
  case help = "--help"
  case version = "--version"

  var takesValue: Bool {
    switch self {
    case .filter, .schedules, .seed, .strategy, .jobs, .timeLimit: true
    case .strict, .help, .version: false
    }
  }

  /// What `command` takes; nil stands for a command line without one.
  static func all(of command: CommandName?) -> [Option] {
    switch command {
    case nil: allCases
    case .run: [.filter, .schedules, .seed, .strategy, .strict, .jobs, .timeLimit, .help, .version]
    default: [.help, .version]
    }
  }
}
