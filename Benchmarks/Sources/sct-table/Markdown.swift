import SCTBench
import Simulator

/// The table as Markdown.
struct Markdown {
  private let rows: [Row]
  private let options: Options

  init(_ rows: [Row], _ options: Options) {
    self.rows = rows
    self.options = options
  }

  var text: String {
    ([introduction, header] + rows.map(line)).joined(separator: "\n") + "\n"
  }

  private var introduction: String {
    """
    # SCTBench: schedules to the first bug

    `\(options.command)` in `Benchmarks/`

    Programs of SCTBench, written again from their published behaviour: a thread is a task, a shared variable a register \
    whose reads and writes suspend, a lock an actor. Means over \(options.seeds) seeds with 95 % intervals, at most \
    \(options.cap.formatted) schedules a trial, the natural order counted as the first; in square brackets what is \
    published for the original (SURW, ASPLOS 2025, the authors' data). A dash: not found in any of the first 20 trials; \
    with “≥”, trials that found nothing count as the cap.

    Events are the original's, then the port's accesses to registers and locks in its natural order, then in round \
    brackets all steps of the port, its ways back to the pool included.


    """
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
      + ([row.program.name, "\(row.program.threads)", row.events] + figures).joined(separator: " | ")
      + " |"
  }
}

extension Int {
  fileprivate var formatted: String {
    self >= 1_000 ? "\(self / 1_000),\(String(1_000 + self % 1_000).dropFirst())" : "\(self)"
  }
}
