import Simulator
import TwinPrograms

/// The table as Markdown.
struct Markdown {
  private let rows: [Row]
  private let summary: Summary
  private let options: Options

  init(_ rows: [Row], _ summary: Summary, _ options: Options) {
    self.rows = rows
    self.summary = summary
    self.options = options
  }

  /// The whole file.
  var text: String {
    let table = ([header] + rows.map(line) + [lastLine]).joined(separator: "\n")
    return [introduction, table, summary.ratioText.map(Self.sentence), bugs].compactMap(\.self)
      .joined(separator: "\n\n") + "\n"
  }

  private var introduction: String {
    """
    # \(options.set.title): schedules to the first bug

    ```sh
    \(options.command)
    ```

    Run in this folder; made by it, not by hand. `12 / 9`: the mean and the median of the schedules to the first bug over \
    \(options.seeds) seeds, at most \(options.cap) a trial, the natural order counted as the first. With “≥” some trials \
    found nothing and count as \(options.cap); in brackets how many found it. *Deviations* are the fewest with which the \
    bug shows. The last line is the geometric mean of the means.
    """
  }

  private var header: String {
    let names = ["program", "deviations"] + options.strategies
    return cells(names) + "\n" + String(repeating: "| --- ", count: names.count) + "|"
  }

  private func line(_ row: Row) -> String {
    cells([row.program.name, "\(row.program.deviations)"] + row.trials.map(\.trials.text))
  }

  private var lastLine: String {
    cells(["geometric mean", ""] + summary.means.map { Summary.shown($0.mean, $0.isComplete) })
  }

  private var bugs: String {
    "The programs:\n\n"
      + rows.map { "- **\($0.program.name)** (\($0.program.kind)): \($0.program.bug)" }.joined(
        separator: "\n")
  }

  private func cells(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
