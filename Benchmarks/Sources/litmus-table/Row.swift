import Litmus
import SimulatorStrategies

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
  let overlapping: [String: Int]?
  let searches: Searches?

  /// What must not be; empty when all is well.
  var faults: [String] {
    illegal(real, "for real") + illegal(simulated, "in simulation") + missed
      + illegal(overlapping, "where steps overlap") + missedByOverlap + beyond + disagreements
  }

  var verdict: String { faults.isEmpty ? "ok" : faults.joined(separator: "; ") }

  /// A line for the terminal.
  var text: String {
    let name = litmus.name + String(repeating: " ", count: max(1, 46 - litmus.name.count))
    let shown =
      "real: \(list(real))  simulated: \(list(simulated))"
      + (overlapping == nil ? "" : "  overlapping: \(list(overlapping))")
    let searched = searches.map { "  reduced: \($0.reduced.text)  depth first: \($0.depthFirst.text)" } ?? ""
    return "\(name)\(shown)\(searched)  \(verdict)"
  }

  private var missed: [String] {
    guard let simulated, litmus.exhaustive else { return [] }
    return litmus.wholeSteps.subtracting(simulated.keys).sorted().map { "missed in simulation: \(shown($0))" }
  }

  /// What needs a step to be left where it sets nothing free is not demanded.
  private var missedByOverlap: [String] {
    guard let overlapping, litmus.exhaustive else { return [] }
    return litmus.overlapping.subtracting(overlapping.keys).sorted().map {
      "missed where steps overlap: \(shown($0))"
    }
  }

  /// What a simulation shows that no order of the program's operations explains.
  private var beyond: [String] {
    litmus.weakOnly.filter { overlapping?[$0] != nil || simulated?[$0] != nil }.sorted().map {
      "beyond sequential consistency in simulation: \(shown($0))"
    }
  }

  /// Where a search has ended, no other may show another outcome.
  private var disagreements: [String] {
    guard let searches else { return [] }
    let (reduced, depthFirst) = (searches.reduced, searches.depthFirst)
    var faults: [String] = []
    if !reduced.hasEnded, reduced.unseen == nil, !litmus.spins, !litmus.isVast {
      faults.append("no end of the reduced search in \(reduced.schedules) schedules")
    }
    if reduced.hasEnded, depthFirst.hasEnded {
      faults += difference(reduced.outcomes, depthFirst.outcomes, "depth-first")
    }
    if let ended = [reduced, depthFirst].first(where: \.hasEnded),
      let random = searches.overlapping ? overlapping : simulated
    {
      // A search in order covers one draw of random numbers.
      let others = litmus.draws ? ended.outcomes.intersection(random.keys) : Set(random.keys)
      faults += difference(ended.outcomes, others, "random")
    }
    return faults
  }

  private func difference(_ ended: Set<String>, _ other: Set<String>, _ name: String) -> [String] {
    other.subtracting(ended).sorted().map { "only in \(name) search: \(shown($0))" }
      + ended.subtracting(other).sorted().map { "not in \(name) search: \(shown($0))" }
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
