import Arguments
import Foundation
import Models
import SCTBench
import SearchTrials
import Simulator
import SimulatorStrategies
import TwinPrograms
import Unseen

/// Prints how many schedules the portfolio takes to the first bug of each program, with its search by feedback and without
/// it, and how many each of three strategies takes alone.
@main struct AblationTable {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.help { return write(Options.usage) }
      print(options)
    } catch {
      FileHandle.standardError.write(Data("ablation-table: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func print(_ options: Options) {
    let columns = Column.all(options.alone)
    write("| program | open besides orders | " + columns.map(\.name).joined(separator: " | ") + " |")
    write("| --- | --- |" + String(repeating: " --- |", count: columns.count))
    let rows = options.set.programs(options.filter).map { program in
      let row = Row(
        meetsValues: OpenValues.areMet(by: program),
        trials: columns.map { Trials(program, seeds: options.seeds, cap: options.cap, $0.make) })
      write("| \(program.name) | \(row.text) |")
      return row
    }
    write("")
    for (one, other) in [(0, 1), (2, 3), (2, 4)] where other < columns.count {
      for meetsValues in [false, true] {
        let pairs = rows.filter { $0.meetsValues == meetsValues }.map { ($0.trials[one], $0.trials[other]) }
        guard !pairs.isEmpty else { continue }
        write(
          "\(meetsValues ? "values" : "orders only"), \(pairs.count) programs: \(columns[other].name) takes "
            + "\(Comparison(pairs).text) times the schedules of \(columns[one].name)")
      }
    }
  }

  /// At once, because a row takes long.
  private static func write(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}

/// A strategy that is measured.
private struct Column {
  let name: String
  let make: @Sendable () -> any SchedulingStrategy

  static func all(_ alone: Bool) -> [Column] {
    let portfolios = [
      Column(name: "portfolio") { Rotation() },
      Column(name: "without feedback") { Rotation(without: .feedback) },
    ]
    guard alone else { return portfolios }
    return portfolios + [
      Column(name: "feedback") { Strategies.Feedback() },
      Column(name: "random") { Strategies.RandomWalk() },
      Column(name: "surw") { Strategies.SURW() },
    ]
  }
}

/// A program, and how long each strategy took.
private struct Row {
  let meetsValues: Bool
  let trials: [Trials]

  var text: String { ([meetsValues ? "values" : ""] + trials.map(\.cell)).joined(separator: " | ") }
}

extension Trials {
  /// `12.4 ± 1.2`, the mean with its 95 % interval; with the share of the trials that found the bug where some did not.
  fileprivate var cell: String {
    let figure = String(format: "%.1f ± %.1f", mean, margin)
    return isComplete ? figure : "≥ \(figure) (\(counts.count)/\(trials))"
  }
}

extension Comparison {
  /// `1.20 (1.05 to 1.38)`.
  fileprivate var text: String { String(format: "%.2f (%.2f to %.2f)", ratio, low, high) }
}
