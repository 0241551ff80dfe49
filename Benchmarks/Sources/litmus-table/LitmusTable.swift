import Foundation
import Litmus
import Simulator

/// Runs every litmus program on the real runtime and in simulation, and says whether the outcomes are legal.
@main struct LitmusTable {
  static func main() async {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.help { return say(Options.usage) }
      try await run(options)
    } catch {
      report("litmus-table: \(error)")
      exit(2)
    }
  }

  private static func run(_ options: Options) async throws {
    var sections: [Section] = []
    for theme in LitmusTheme.all {
      var section = Section(name: theme.name)
      for litmus in theme.programs where options.wants(litmus, of: theme) {
        let row = await row(litmus, of: theme, options)
        say(row.text)
        section.rows.append(row)
      }
      if !section.rows.isEmpty { sections.append(section) }
    }
    if let file = options.markdown {
      try markdown(sections, command: options.command).write(toFile: file, atomically: true, encoding: .utf8)
    }
    let rows = sections.flatMap(\.rows)
    let failures = rows.count { !$0.faults.isEmpty }
    if options.overlapping + options.searched > 0, !Simulation.followsAtomics {
      let left = rows.count { $0.litmus.isAtomic }
      if left > 0 {
        say("left out where steps overlap: \(left) programs of atomics, which need the build flag")
      }
    }
    say("\(rows.count) programs, \(failures) with a fault\(searched(rows))")
    exit(failures == 0 ? 0 : 1)
  }

  private static func row(_ litmus: Litmus, of theme: LitmusTheme, _ options: Options) async -> Row {
    let canOverlap = Simulation.followsAtomics || !litmus.isAtomic
    let isSearched = theme.overlaps ? canOverlap : !litmus.waits
    return Row(
      litmus: litmus,
      real: options.real > 0 ? await realOutcomes(of: litmus, runs: options.real) : nil,
      simulated: options.simulated > 0 && !litmus.waits
        ? simulate(litmus, schedules: options.simulated) : nil,
      overlapping: options.overlapping > 0 && canOverlap
        ? simulateOverlapping(litmus, schedules: options.overlapping) : nil,
      searches: options.searched > 0 && isSearched
        ? Searches(litmus, schedules: options.searched, overlapping: theme.overlaps) : nil)
  }

  /// How far the searches came that end by themselves.
  private static func searched(_ rows: [Row]) -> String {
    let searches = rows.compactMap(\.searches)
    guard !searches.isEmpty else { return "" }
    let ended = (searches.count { $0.reduced.hasEnded }, searches.count { $0.depthFirst.hasEnded })
    return "; the reduced search came to its end in \(ended.0), the depth-first in \(ended.1)"
  }
}

/// Writes one line to standard output, at once: a long run can be followed in a file.
func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}

/// Writes one line to standard error.
func report(_ line: String) {
  try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
}
