import Litmus

/// The programs of one theme.
struct Section {
  let name: String
  var rows: [Row] = []
}

/// One program and what it showed.
struct Row {
  let litmus: Litmus
  let real: [String: Int]?
  let simulated: [String: Int]?

  /// What must not be; empty when all is well.
  var faults: [String] {
    illegal(real, "for real") + illegal(simulated, "in simulation") + missed
  }

  var verdict: String { faults.isEmpty ? "ok" : faults.joined(separator: "; ") }

  /// A line for the terminal.
  var text: String {
    let name = litmus.name + String(repeating: " ", count: max(1, 46 - litmus.name.count))
    return "\(name)real: \(list(real))  simulated: \(list(simulated))  \(verdict)"
  }

  private var missed: [String] {
    guard let simulated, litmus.exhaustive else { return [] }
    return litmus.wholeSteps.subtracting(simulated.keys).sorted().map { "missed in simulation: \(shown($0))" }
  }

  private func illegal(_ counts: [String: Int]?, _ place: String) -> [String] {
    Set((counts ?? [:]).keys).subtracting(litmus.outcomes).sorted().map { "illegal \(place): \(shown($0))" }
  }
}

/// Outcomes with their counts, or a dash where nothing was run.
func list(_ counts: [String: Int]?, by separator: String = ", ") -> String {
  guard let counts else { return "–" }
  let entries = counts.sorted { $0.key < $1.key }.map { "\(shown($0.key)) ×\($0.value)" }
  return entries.joined(separator: separator)
}

/// An outcome that can be seen even when it is empty.
func shown(_ outcome: String) -> String {
  outcome.isEmpty ? "(nothing)" : outcome
}
