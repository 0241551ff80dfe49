internal import SimulatorCore

/// The facts that a failing run and the nearest passing one together prove about a violation that no invariant has named, or
/// whose name says only that a request was doubled.
///
/// The passing run differs in one choice. If it keeps two tasks apart on a domain on which the failing run lets one run
/// between two steps of the other, the race is an interleaving. What the two did to an observed value may narrow it down.
/// Anything else stays unclassified: a wrong name is worse than none.
package struct RaceEvidence {
  /// The race.
  package let diagnosis: Invariant.Diagnosis
  /// A sentence that says which tasks raced, and where.
  package let sentence: String

  /// Nil if nothing is proved that `violation` does not already say.
  package init?(_ violation: Invariant.Violation, passing: Trace) {
    switch violation.diagnosis {
    case nil:
      guard let proved = RaceEvidence(failing: violation.trace, passing: passing) else { return nil }
      self = proved
    case .duplicateRequest:
      guard let doubled = DoubledRequest(violation.trace, upTo: violation.step, onceIn: passing) else {
        return nil
      }
      self.init(.checkThenAct, doubled.sentence)
    default: return nil
    }
  }

  private init(_ diagnosis: Invariant.Diagnosis, _ sentence: String) {
    self.diagnosis = diagnosis
    self.sentence = sentence
  }

  /// Nil if nothing is proved.
  private init?(failing: Trace, passing: Trace) {
    guard let pair = Interleaving.first(in: failing, apartIn: passing) else { return nil }
    let (inner, outer) = (failing.name(ofTask: pair.inner), failing.name(ofTask: pair.outer))
    let domain = failing.domains[pair.domain]
    let between = "\(inner) ran on \(domain) between two steps of \(outer)"
    let effects = Effects(failing: failing, passing: passing, pair)
    if let name = effects.lostUpdate {
      diagnosis = .lostUpdate
      sentence = "\(between), and one of their changes of \(name) is gone"
    } else if let name = effects.secondChange {
      diagnosis = .checkThenAct
      sentence = "\(between); one after the other only the first changes \(name)"
    } else {
      let isCancelled = failing.goesOnCancelled(pair.outer, on: pair.domain)
      diagnosis = .interleaved
      sentence =
        "\(between)\(isCancelled ? ", which went on when it was cancelled" : ""); the nearest passing run keeps them apart"
    }
  }
}

/// Two tasks on one domain, one of which runs between two steps of the other.
private struct Interleaving {
  let domain: Int
  let outer: Int
  let inner: Int

  /// Returns the first such pair in `failing`, on any domain, whose tasks `passing` keeps apart there.
  static func first(in failing: Trace, apartIn passing: Trace) -> Interleaving? {
    for (domain, tasks) in failing.tasksByDomain {
      guard let pair = first(domain, tasks) else { continue }
      guard passing.tasks.indices.contains(max(pair.outer, pair.inner)) else { continue }
      let order = passing.tasksByDomain.filter { passing.domains[$0.domain] == failing.domains[domain] }
      guard let order = order.first?.tasks, Set([pair.outer, pair.inner]).isSubset(of: order) else {
        continue
      }
      let both = order.filter { $0 == pair.outer || $0 == pair.inner }
      if first(domain, both) == nil { return pair }
    }
    return nil
  }

  /// Returns the first pair in the order of the steps of one domain.
  private static func first(_ domain: Int, _ tasks: [Int]) -> Interleaving? {
    for (index, outer) in tasks.enumerated() {
      guard let next = tasks[(index + 1)...].firstIndex(of: outer) else { continue }
      // The root makes the others and looks at their results, so it races with none of them.
      if let inner = tasks[(index + 1)..<next].first(where: { $0 != 0 }), outer != 0 {
        return Interleaving(domain: domain, outer: outer, inner: inner)
      }
    }
    return nil
  }
}

/// The effects of two tasks on the observed values, in both runs.
private struct Effects {
  /// The name of a number that ends as if one of the two had never changed it.
  private(set) var lostUpdate: String?
  /// The name of a value that one of them leaves alone when it comes second, but changes here.
  private(set) var secondChange: String?

  init(failing: Trace, passing: Trace, _ pair: Interleaving) {
    for name in failing.observedNames {
      let (here, there) = (failing.changes(of: name), passing.changes(of: name))
      let both = [pair.outer, pair.inner]
      guard let first = failing.initial(of: name), first == passing.initial(of: name),
        (here + there).allSatisfy({ $0.task.map(both.contains) ?? false })
      else { continue }
      let actors = Set(there.compactMap(\.task))
      if case .int(let start) = first, actors.count == 2, case .int(let end)? = here.last?.to {
        let changes = there.compactMap(\.difference)
        if changes.count == 2, changes.contains(where: { start + $0 == end }),
          start + changes[0] + changes[1] != end
        {
          lostUpdate = lostUpdate ?? name
        }
      }
      if actors.count == 1, Set(here.compactMap(\.task)).count == 2 { secondChange = secondChange ?? name }
    }
  }
}

extension Trace {
  /// For each domain that serializes user code, the tasks of its steps in order.
  fileprivate var tasksByDomain: [(domain: Int, tasks: [Int])] {
    domains.indices.filter { domains[$0].serializesProgram }.map { domain in
      (domain, events.lazy.filter { $0.kind == .step && $0.domain == domain }.compactMap(\.task))
    }
  }

  /// Returns true if a step of the program cancels the task, which has a step on the domain before that and one after.
  fileprivate func goesOnCancelled(_ task: Int, on domain: Int) -> Bool {
    guard let cancel = events.firstIndex(where: { $0.kind == .taskCancelled(task) }) else { return false }
    let isOwn: (Trace.Event) -> Bool = { $0.kind == .step && $0.task == task && $0.domain == domain }
    return events[..<cancel].contains(where: isOwn) && events[cancel...].contains(where: isOwn)
  }

  fileprivate var observedNames: [String] {
    var names: [String] = []
    for event in events {
      if case .changed(let name, _, _) = event.kind, !names.contains(name) { names.append(name) }
    }
    return names
  }

  fileprivate struct Change {
    let task: Int?
    let from: Trace.Value
    let to: Trace.Value

    /// The amount by which a number changed; nil if the value is no number.
    var difference: Int? {
      guard case .int(let from) = from, case .int(let to) = to else { return nil }
      return to - from
    }
  }

  fileprivate func changes(of wanted: String) -> [Change] {
    events.compactMap { event in
      guard case .changed(wanted, let from, let to) = event.kind, from != .none else { return nil }
      return Change(task: event.task, from: from, to: to)
    }
  }

  /// Returns the observed value before its first change.
  fileprivate func initial(of wanted: String) -> Trace.Value? {
    for event in events {
      if case .changed(wanted, let from, let to) = event.kind { return from == .none ? to : from }
    }
    return nil
  }
}
