import Simulator

/// Which layer works on which domain in one execution, and which rules about their boundaries hold there.
struct Audit {
  /// A layer: an operation of a fake, the screens, or work that takes time.
  struct Row: Equatable {
    let layer: String
    /// By domain, in the order of `domains`.
    var counts: [Int]
  }

  /// The result of a rule.
  enum Verdict: Equatable {
    case holds
    /// Where it is broken, a sentence each.
    case broken([String])
    /// No event concerns it.
    case untouched
  }

  struct Rule: Equatable {
    let name: String
    let verdict: Verdict
    /// Whether it is only advice: a small model may well ask its network itself.
    var isAdvice = false
  }

  /// Actors by their types, the main actor and the pool.
  let domains: [String]
  let rows: [Row]
  private(set) var rules: [Rule]

  init(_ execution: Execution) {
    var count = Count(execution.trace)
    for event in execution.trace.events { count.add(event) }
    domains = count.domains
    rows = count.rows
    rules = [
      Rule(name: "the main actor is never kept closed by work", verdict: count.closedMain),
      Rule(
        name: "network and store are asked by owners of their own", verdict: count.askedFromMain,
        isAdvice: true),
      Rule(name: "a cancel reaches every call under way", verdict: count.cancels),
      Rule(name: "every task is owned", verdict: Self.owned(execution)),
    ]
    if execution.ending == .died {
      rules.append(
        Rule(name: "it comes to its end", verdict: .broken(execution.violations.map(\.message))))
    }
  }

  private static func owned(_ execution: Execution) -> Verdict {
    let outliving = execution.violations.filter { $0.invariant == "nothing-outlives" }
    return outliving.isEmpty ? .holds : .broken(outliving.map(\.message))
  }
}

/// The counts of one execution so far.
private struct Count {
  private let trace: Trace
  private(set) var domains: [String] = []
  private(set) var rows: [Audit.Row] = []
  private var spentOnMain: [String] = []
  private var callsFromMain: [String] = []
  /// Calls under way, by number, with the task that made each.
  private var underWay: [Int: (call: Call, task: Int?)] = [:]
  /// The tasks of the actions.
  private var actions: [Action: Int] = [:]
  /// What is observed; the trace begins with what everything holds.
  private var seen: Set<String> = []
  private var calls = 0
  private var cancelled = false
  /// Calls that a cancel has not reached yet.
  private var unreached: [Int: String] = [:]

  init(_ trace: Trace) {
    self.trace = trace
  }

  mutating func add(_ event: Event) {
    let place = trace.domains[event.domain]
    let domain = place.type
    switch event.kind {
    case .began(let call):
      calls += 1
      underWay[call.id] = (call, event.task)
      note("\(call.fake) \(call.operation)", on: domain)
      if place.kind == .mainActor { callsFromMain.append("\(call.fake) \(call.operation)") }
    case .ended(let call, _):
      underWay[call.id] = nil
    case .changed(let name, _, _):
      if seen.insert(name).inserted { return }
      note("\(name) changes", on: domain)
    case .spent(let duration):
      note("work that takes time", on: domain)
      if place.kind == .mainActor {
        spentOnMain.append("closed for \(duration.shortText) at \(event.time)")
      }
    case .actionBegan(let action): actions[action] = event.task
    case .cancelled(let action): cancel(action, at: event.time)
    case .cancellation(let call, _): unreached[call.id] = nil
    default: break
    }
  }

  private mutating func note(_ layer: String, on domain: String) {
    let column = domains.firstIndex(of: domain) ?? domains.endIndex
    if column == domains.endIndex {
      domains.append(domain)
      for row in rows.indices { rows[row].counts.append(0) }
    }
    if let row = rows.firstIndex(where: { $0.layer == layer }) {
      rows[row].counts[column] += 1
    } else {
      var counts = Array(repeating: 0, count: domains.count)
      counts[column] = 1
      rows.append(Audit.Row(layer: layer, counts: counts))
    }
  }

  private mutating func cancel(_ action: Action, at time: VirtualInstant) {
    guard let task = actions[action] else { return }
    for (id, entry) in underWay where isMade(entry.task, by: task) {
      cancelled = true
      unreached[id] =
        "\(action.label) was cancelled at \(time), and \(entry.call.fake) \(entry.call.operation) went on"
    }
  }

  private func isMade(_ task: Int?, by maker: Int) -> Bool {
    var task = task
    while let current = task {
      if current == maker { return true }
      task = trace.tasks[current].parent
    }
    return false
  }

  var closedMain: Audit.Verdict { spentOnMain.isEmpty ? .holds : .broken(spentOnMain) }

  var askedFromMain: Audit.Verdict {
    guard calls > 0 else { return .untouched }
    let layers = callsFromMain.reduce(into: [String]()) { layers, layer in
      if !layers.contains(layer) { layers.append(layer) }
    }
    return layers.isEmpty ? .holds : .broken(layers.map { "\($0) is asked from the main actor" })
  }

  var cancels: Audit.Verdict {
    guard cancelled else { return .untouched }
    return unreached.isEmpty ? .holds : .broken(unreached.sorted { $0.key < $1.key }.map(\.value))
  }
}
