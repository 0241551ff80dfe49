import Foundation
import SCTBench
import Simulator

/// The table as Markdown.
struct Markdown {
  private let tables: [Table]
  private let options: Options

  init(_ tables: [Table], _ options: Options) {
    self.tables = tables
    self.options = options
  }

  /// The whole file. A port that was not asked for keeps its section in `old`.
  func text(over old: String) -> String {
    let sections = Port.allCases.compactMap { port in
      tables.first { $0.port == port }.map(section) ?? Self.section(of: port, in: old)
    }
    return ([introduction] + sections).joined(separator: "\n\n") + "\n"
  }

  private static func section(of port: Port, in old: String) -> String? {
    guard let found = old.range(of: "## \(port.title)\n") else { return nil }
    let rest = old[found.lowerBound...]
    let end = rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex
    return rest[..<end].trimmingCharacters(in: .newlines)
  }

  private var introduction: String {
    """
    # SCTBench: schedules to the first bug

    Programs of SCTBench, written again from their published behavior, in two ports. Means over seeds with 95 % intervals, \
    the natural order counted as the first; in square brackets what is published for the original (SURW, ASPLOS 2025, the \
    authors' data). A dash: not found in any of the first 20 trials; with “≥”, trials that found nothing count as the cap. \
    Events are the original's, then the port's.
    """
  }

  private func section(_ table: Table) -> String {
    let rows = ([header] + table.rows.map(line)).joined(separator: "\n")
    let command =
      "`\(options.command(table.port))` in `Benchmarks/`: \(options.seeds) seeds, at most \(options.cap.formatted) "
      + "schedules a trial."
    return
      (["## \(table.port.title)", explanation(table.port), command, rows]
      + [table.shortfall].compactMap(\.self))
      .joined(separator: "\n\n")
  }

  private func explanation(_ port: Port) -> String {
    switch port {
    case .tasks:
      """
      A thread is a task, a shared variable a register whose reads and writes suspend, a lock an actor. The port's events \
      are visits to registers and locks, and the making and joining of threads; in round brackets all its steps, the ways \
      back to the pool included.
      """
    case .threads:
      """
      A thread is a task without an `await`, a lock a `pthread_mutex_t`, a variable that threads race for an `Atomic`, any \
      other a plain variable. The port's events are the parts of its steps between two scheduling points, whether or not \
      another could have run there. A point is where a task has been made or a lock opened, before a lock is taken with \
      another in hand, and before an atomic.
      """
    }
  }

  private var header: String {
    let names = ["program", "threads", "events"] + options.strategies
    return "| " + names.joined(separator: " | ") + " |\n" + String(repeating: "| --- ", count: names.count)
      + "|"
  }

  private func line(_ row: Row) -> String {
    let figures = row.trials.map { name, trials in
      trials.text + (row.published(name).map { " [\($0)]" } ?? "")
    }
    return "| "
      + ([row.program.name, "\(row.program.threads)", row.sizes] + figures).joined(separator: " | ")
      + " |"
  }
}

extension Int {
  fileprivate var formatted: String {
    self >= 1_000 ? "\(self / 1_000),\(String(1_000 + self % 1_000).dropFirst())" : "\(self)"
  }
}
