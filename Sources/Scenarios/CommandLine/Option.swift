/// The options that the commands take.
enum Option: String, CaseIterable, Sendable {
  case filter = "--filter"
  case schedules = "--schedules"
  case seed = "--seed"
  case strategy = "--strategy"
  case strict = "--strict"
<<<<<<< HEAD
  case jobs = "--jobs"
  case timeLimit = "--time-limit"
=======
  case record = "--record"
  case format = "--format"
  case output = "--output"
  case timings = "--timings"
>>>>>>> main
  case help = "--help"
  case version = "--version"

  var takesValue: Bool {
    switch self {
<<<<<<< HEAD
    case .filter, .schedules, .seed, .strategy, .jobs, .timeLimit: true
    case .strict, .help, .version: false
=======
    case .filter, .schedules, .seed, .strategy, .format, .output: true
    case .strict, .record, .timings, .help, .version: false
>>>>>>> main
    }
  }

  /// What `command` takes; nil stands for a command line without one.
  static func all(of command: CommandName?) -> [Option] {
    switch command {
    case nil: allCases
<<<<<<< HEAD
    case .run: [.filter, .schedules, .seed, .strategy, .strict, .jobs, .timeLimit, .help, .version]
=======
    case .run: allCases
>>>>>>> main
    default: [.help, .version]
    }
  }
}
