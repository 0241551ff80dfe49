import Foundation
import Simulator
import SimulatorStrategies

/// Runs programs without a bug under every strategy, from seed to seed, until so many schedules have been run. A
/// violation is a false alarm.
@main enum Controls {
  static func main() {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      FileHandle.standardError.write(Data("controls: \(error)\n".utf8))
      exit(2)
    }
    if options.help { return say(Options.usage) }
    if let part = options.part { exit(Part(part, options).run() ? 0 : 1) }
    exit(Whole(options).run() ? 0 : 1)
  }
}

/// What one process runs: a share of the programs, since a process runs one simulation at a time.
private struct Part {
  private let controls: [Control]
  private let schedules: Int
  private let seed: UInt64

  init(_ part: Int, _ options: Options) {
    controls = Control.all.enumerated().filter { $0.offset % options.jobs == part }.map { $0.element }
    schedules = options.share(of: part)
    seed = options.seed
  }

  /// Whether nothing was violated. Each round gives every program one turn under every strategy, from a new seed; the
  /// last round ends where all schedules have been run.
  func run() -> Bool {
    let strategies = Strategies.Named.all.filter { !["natural", "exhaustive", "reduced"].contains($0.name) }
    var done = 0
    var faults = 0
    var round: UInt64 = 0
    while done < schedules {
      for control in controls {
        for strategy in strategies where done < schedules {
          let report = explore(control, strategy, min(250, schedules - done), seed: seed + round)
          done += report.schedules
          faults += report.violations.count
          for violation in report.violations {
            say(
              "fault \(control.name), \(strategy.name), seed \(seed + round): \(violation.invariant): \(violation.message)"
            )
          }
        }
      }
      round += 1
      say("done \(done)")
    }
    return faults == 0
  }

  private func explore(
    _ control: Control, _ strategy: Strategies.Named, _ schedules: Int, seed: UInt64
  ) -> Explorer.Report {
    var explorer = Explorer(name: control.name, body: control.body)
    explorer.checksDeterminism = false
    explorer.budget.violationsToFind = nil
    explorer.budget.shrinkingExecutions = 0
    explorer.budget.schedules = schedules
    explorer.seed = seed
    explorer.strategy = strategy.make()
    return explorer.explore()
  }
}

/// Writes one line to standard output, at once: a long run can be followed in a file.
func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}
