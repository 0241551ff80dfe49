import Arguments
import Foundation

/// What the command line asks for.
struct Options {
  var schedules = 1_000_000
  var seed: UInt64 = 0
  var jobs = min(ProcessInfo.processInfo.activeProcessorCount, Control.all.count)
  var simrun: String?
  var catalog = 100_000
  var part: Int?
  var help = false

  static let usage = """
    usage: controls [--schedules N] [--seed N] [--jobs N] [--simrun PATH] [--catalog N]

      --schedules N   schedules of the programs without a bug: the litmus programs, which may come to their legal
                      outcomes only, and those of our own (default 1000000), under every strategy, from seed to seed
      --seed N        the first seed (default 0)
      --jobs N        how many processes work (default: one for each processor)
      --simrun PATH   also the variants of the catalog that are to hold, by this tool, which must be built for release
      --catalog N     schedules of those at least, the same number of each under every strategy (default 100000)

    Exit status: 0 nothing is violated, 1 something is, or not all could be run, 2 the command line is wrong.
    """

  init(_ words: some Sequence<String>) throws(OptionError) {
    var arguments = Arguments(words)
    while let option = arguments.next() {
      switch option {
      case "--schedules": schedules = try arguments.count(of: option)
      case "--seed": seed = UInt64(try arguments.count(of: option))
      case "--jobs": jobs = min(try arguments.count(of: option, from: 1), Control.all.count)
      case "--catalog": catalog = try arguments.count(of: option)
      case "--part": part = try arguments.count(of: option)
      case "--simrun": simrun = try arguments.value(of: option)
      case "--help", "-h": help = true
      default: throw .unknown(option)
      }
    }
  }

  /// How many schedules one of the parts runs.
  func share(of part: Int) -> Int { schedules / jobs + (part < schedules % jobs ? 1 : 0) }

  /// What runs the parts: this program.
  var itself: URL { URL(filePath: "/proc/self/exe").resolvingSymlinksInPath() }

  /// The folder of the package that has the scenario files, above `.build/release/simrun`.
  var folder: URL? {
    simrun.map { path in
      var folder = URL(filePath: path).standardizedFileURL
      while folder.path != "/", folder.lastPathComponent != ".build" { folder.deleteLastPathComponent() }
      return folder.deletingLastPathComponent()
    }
  }

  func arguments(part: Int) -> [String] {
    ["--part", "\(part)", "--jobs", "\(jobs)", "--schedules", "\(schedules)", "--seed", "\(seed)"]
  }
}
