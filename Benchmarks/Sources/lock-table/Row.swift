import LockPrograms
import Simulator

/// What one build shows of a program.
struct Figures: Codable {
  /// Default settings.
  let found: Trials
  let mended: Silence
  /// Where steps are wholes: only without the flag.
  let whole: Trials?

  init(_ program: LockProgram, _ options: Options) {
    found = Trials(program, .asNeeded, options)
    mended = Silence(program, options)
    whole = Simulation.followsAtomics ? nil : Trials(program, .atomic, options)
  }
}

/// A program, and what each build shows of it.
struct Row {
  let program: LockProgram
  let plain: Figures
  /// Built with the flag; nil where no such build was named.
  let instrumented: Figures?

  var cells: [String] {
    [
      program.name, program.state.rawValue, plain.whole?.text ?? "–", plain.found.textWithDeviations,
      instrumented?.found.textWithDeviations ?? "–", plain.mended.text, instrumented?.mended.text ?? "–",
    ]
  }

  var text: String {
    let names = plain.found.invariants.union(instrumented?.found.invariants ?? []).sorted()
    let found = names.isEmpty ? "nothing" : names.joined(separator: ", ")
    let alarms = alarms.map { "\n  FALSE ALARM: \($0)" }.joined()
    return "\(cells.joined(separator: " | ")) [\(found)]\(alarms)"
  }

  var alarms: [String] { [plain.mended.alarm, instrumented?.mended.alarm].compactMap(\.self) }
}
