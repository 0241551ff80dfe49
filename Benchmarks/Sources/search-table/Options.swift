import Arguments
import Coincidences
import Models
import Simulator
import SimulatorStrategies
import TwinPrograms
import Unseen

/// What the command line asks for.
struct Options {
  var set = ProgramSet.unseen
  var seeds = 20
  var cap = 1_000
  var strategies = Self.usualStrategies
  var filter: String?
  var markdown: String?
  /// How many schedules of each twin without the bug are run instead of the table.
  var silent: Int?
  /// Whether the fewest deviations are proved instead of the table.
  var fewest = false
  /// Whether what shrinking comes to is measured instead of the table.
  var shrinks = false
  /// The limit of shrinking; nil for the default.
  var limit: Int?
  var help = false

  /// The programs that are asked for, at least one.
  private(set) var programs: [TwinProgram] = []

  static let usualStrategies = ["portfolio", "surw", "urw", "pct", "pos", "random", "feedback"]

  init(_ words: some Sequence<String>) throws(OptionError) {
    var arguments = Arguments(words)
    while let option = arguments.next() {
      switch option {
      case "--programs": set = try ProgramSet(named: arguments.value(of: option))
      case "--seeds": seeds = try arguments.count(of: option, from: 1)
      case "--cap": cap = try arguments.count(of: option, from: 1)
      case "--strategies": strategies = try Self.strategies(arguments.value(of: option))
      case "--filter": filter = try arguments.value(of: option)
      case "--markdown": markdown = try arguments.value(of: option)
      case "--silent": silent = try arguments.count(of: option, from: 1)
      case "--fewest": fewest = true
      case "--shrink": shrinks = true
      case "--limit": limit = try arguments.count(of: option, from: 1)
      case "--help", "-h": help = true
      default: throw .unknown(option)
      }
    }
    try refuseContradictions()
    let (filter, set) = (filter, set)
    programs = set.programs.filter { program in filter.map { program.name.contains($0) } ?? true }
    if programs.isEmpty {
      throw .other("no program of \(set.rawValue) has “\(filter ?? "")” in its name: \(set.names)")
    }
  }

  private func refuseContradictions() throws(OptionError) {
    let runs = [silent != nil, fewest, shrinks].count { $0 }
    if runs > 1 { throw .other("--silent, --fewest and --shrink are different runs; see --help") }
    if markdown != nil, runs > 0 {
      throw .other(
        "--markdown writes the table, which --silent, --fewest and --shrink do not make; see --help")
    }
    if limit != nil, !shrinks { throw .other("--limit is for --shrink; see --help") }
  }

  private static func strategies(_ list: String) throws(OptionError) -> [String] {
    let names = list.split(separator: ",").map(String.init)
    if names.isEmpty { throw .other("--strategies needs at least one name; see --help") }
    for (index, name) in names.enumerated() {
      if Strategies.Named.named(name) == nil {
        throw .other(
          "no strategy is named \(name): \(Strategies.Named.all.map(\.name).joined(separator: ", "))")
      }
      if names[..<index].contains(name) { throw .other("--strategies names \(name) twice") }
    }
    return names
  }

  static let usage = """
    usage: search-table [--programs SET] [--seeds N] [--cap SCHEDULES] [--strategies A,B] [--filter TEXT]
                        [--markdown FILE]
           search-table [--programs SET] [--filter TEXT] --silent SCHEDULES
           search-table [--programs SET] [--filter TEXT] --fewest
           search-table [--programs SET] [--seeds N] [--cap SCHEDULES] [--filter TEXT] --shrink [--limit N]

      --programs SET       small programs (unseen, the default), models in the manner of apps (models), or programs whose
                           bug needs two things at one instant, with that instant written and hidden in ranges
                           (coincidences)
      --seeds N            trials of each program with each strategy (default 20)
      --cap SCHEDULES      at most so many a trial (default 1000); a trial that finds nothing counts as so many
      --strategies A,B     which strategies (default \(usualStrategies.joined(separator: ",")))
      --filter TEXT        only programs whose name contains it
      --markdown FILE      also write the table to FILE
      --silent SCHEDULES   run so many schedules of each twin without the bug, with default settings
      --fewest             search all schedules of each program with fewer deviations than it names: nothing may be
                           found; and shrink what others show until there are as many. Takes long for the models.
      --shrink             find each program's bug once for each seed, with default settings, and print how many
                           deviations shrinking leaves, and what it costs
      --limit N            the limit of shrinking for --shrink (default: that of a search)

    Exit status: 0 as it should be, 1 a twin fails, a number of deviations is wrong or more are left on the median, 2 the command line is wrong.
    """

  /// The command that repeats this run, from the folder of the package.
  var command: String {
    var words = ["swift run -c release search-table --programs \(set.rawValue) --seeds \(seeds) --cap \(cap)"]
    if strategies != Self.usualStrategies {
      words.append("--strategies \(strategies.joined(separator: ","))")
    }
    if let filter { words.append("--filter '\(filter)'") }
    if let markdown { words.append("--markdown \(markdown)") }
    return words.joined(separator: " ")
  }
}

/// A set of programs.
enum ProgramSet: String, CaseIterable {
  case unseen
  case models
  case coincidences

  init(named name: String) throws(OptionError) {
    guard let set = ProgramSet(rawValue: name) else {
      let all = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw .other("no set of programs is named \(name): \(all)")
    }
    self = set
  }

  var programs: [TwinProgram] {
    switch self {
    case .unseen: UnseenPrograms.all
    case .models: ModelPrograms.all
    case .coincidences: Coincidences.all
    }
  }

  var names: String { programs.map(\.name).joined(separator: ", ") }

  var title: String {
    switch self {
    case .unseen: "Small programs"
    case .models: "Models in the manner of apps"
    case .coincidences: "Two things at one instant"
    }
  }
}
