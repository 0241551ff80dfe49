import LockPrograms
import Simulator
import SimulatorStrategies

/// The table as Markdown.
struct Markdown {
  private let rows: [Row]
  private let options: Options

  init(_ rows: [Row], _ options: Options) {
    self.rows = rows
    self.options = options
  }

  var text: String {
    ([introduction, header] + rows.map(line) + ["", bugs]).joined(separator: "\n")
  }

  private var introduction: String {
    """
    # Small libraries behind locks: schedules to the bug

    ```sh
    \(options.command)
    ```

    Run in this folder; made by it, not by hand. Each program is written in the manner of published libraries and has one \
    bug that people write; its twin does not. The search has default settings: the level of steps is as needed. *Flag* is \
    the build flag that makes atomics and mutexes scheduling points.

    `9 / 20, 1`: the median and the maximum of the schedules to the bug over \(options.seeds) seeds, at most \
    \(options.cap.formatted) a trial, and the deviations of the shortest schedule that shows it. A dash: no trial found \
    it. *Whole* is the same where steps are wholes.

    The build without the flag is \(build). An atomic calls nothing without the flag: no step is left there, and atomics alone \
    do not raise the level.

    The twin: how many schedules of the default search were silent, and how many schedules there are, where \
    `Strategies.ExhaustiveDFS` tried all of them within \(options.silent.formatted).


    """
  }

  private var build: String {
    Simulation.followsMutexes
      ? "a debug build, in which each `Mutex` is seen"
      : "optimized: a `Mutex` for which nobody waits calls nothing that could be seen"
  }

  private var header: String {
    let names = ["program", "state", "whole", "without flag", "with flag", "twin", "twin, with flag"]
    return "| " + names.joined(separator: " | ") + " |\n" + String(repeating: "| --- ", count: names.count)
      + "|"
  }

  private func line(_ row: Row) -> String { "| " + row.cells.joined(separator: " | ") + " |" }

  private var bugs: String {
    "The bugs:\n\n" + rows.map { "- **\($0.program.name)**: \($0.program.bug)\n" }.joined()
  }
}
