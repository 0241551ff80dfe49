import Foundation

/// What the command line asks for.
struct Options {
  var schedules = 1_000_000
  var seed: UInt64 = 0
  var jobs = ProcessInfo.processInfo.activeProcessorCount
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
      --simrun PATH   also the hardened variants of the catalog, by this tool, which must be built for release
      --catalog N     about how many schedules of those (default 100000)

    Exit status: 0 nothing is violated, 1 something is, 2 the command line is wrong.
    """

  init(_ arguments: some Sequence<String>) throws(OptionError) {
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      switch option {
      case "--schedules": schedules = try Self.count(rest.next(), of: option)
      case "--seed": seed = UInt64(try Self.count(rest.next(), of: option))
      case "--jobs": jobs = max(1, try Self.count(rest.next(), of: option))
      case "--catalog": catalog = try Self.count(rest.next(), of: option)
      case "--part": part = try Self.count(rest.next(), of: option)
      case "--simrun":
        simrun = rest.next()
        guard simrun != nil else { throw OptionError(description: "--simrun needs a path; see --help") }
      case "--help", "-h": help = true
      default: throw OptionError(description: "unknown option \(option); see --help")
      }
    }
  }

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

  private static func count(_ word: String?, of option: String) throws(OptionError) -> Int {
    guard let word, let count = Int(word), count >= 0 else {
      throw OptionError(description: "\(option) needs a whole number from 0 up; see --help")
    }
    return count
  }
}

struct OptionError: Error, CustomStringConvertible {
  let description: String
}
