import Arguments
import LockPrograms
import Simulator

/// What the command line asks for.
struct Options {
  var seeds = 20
  var cap = 1_000
  var silent = 100_000
  var filter: String?
  var markdown: String?
  /// Where this program stands as it was built with the flag.
  var instrumented: String?
  /// The program whose figures are printed for the other build.
  var figures: String?
  var help = false

  init(_ words: some Sequence<String>) throws(OptionError) {
    var arguments = Arguments(words)
    while let option = arguments.next() {
      switch option {
      case "--seeds": seeds = try arguments.count(of: option, from: 1)
      case "--cap": cap = try arguments.count(of: option, from: 1)
      case "--silent": silent = try arguments.count(of: option, from: 1)
      case "--filter": filter = try arguments.value(of: option)
      case "--markdown": markdown = try arguments.value(of: option)
      case "--instrumented": instrumented = try arguments.value(of: option)
      case "--figures": figures = try arguments.value(of: option)
      case "--help", "-h": help = true
      default: throw .unknown(option)
      }
    }
  }

  static let flags = "-Xswiftc -Xfrontend -Xswiftc -sanitize=thread"

  static let usage = """
    usage: lock-table [--seeds N] [--cap SCHEDULES] [--silent SCHEDULES] [--filter TEXT] [--instrumented FILE]
                      [--markdown FILE]

      --seeds N            trials of each program (default 20)
      --cap SCHEDULES      at most so many a trial (default 1000)
      --silent SCHEDULES   schedules of each twin without the bug (default 100000)
      --filter TEXT        only programs whose name contains it
      --instrumented FILE  this program as it was built with the flag, whose figures come beside these:
                           swift build -c release --product lock-table --scratch-path .build-instrumented \\
                             \(flags)
      --markdown FILE      also write the table to FILE

    Exit status: 0 all twins silent, 1 a twin fails, 2 the command line is wrong.
    """

  func wants(_ program: LockProgram) -> Bool { filter.map { program.name.contains($0) } ?? true }

  /// The commands that repeat this run, from the folder of the package.
  var command: String {
    var lines: [String] = []
    if instrumented != nil {
      lines.append(
        "swift build -c release --product lock-table --scratch-path .build-instrumented \(Self.flags)")
    }
    var words = [
      "swift run\(Simulation.followsMutexes ? "" : " -c release") lock-table --seeds \(seeds) --cap \(cap) --silent \(silent)"
    ]
    if let filter { words.append("--filter '\(filter)'") }
    if let instrumented { words.append("--instrumented \(instrumented)") }
    if let markdown { words.append("--markdown \(markdown)") }
    return (lines + [words.joined(separator: " ")]).joined(separator: "\n")
  }
}
