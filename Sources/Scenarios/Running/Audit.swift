import ScenarioFiles
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
    /// The descriptor leaves it out, for this reason.
    case leftOut(String)

    var isBroken: Bool { if case .broken = self { true } else { false } }
  }

  struct Rule: Equatable {
    /// The name of its invariant.
    let name: String
    let sentence: String
    let verdict: Verdict
    /// True if the system does not ask for it: a small model may well ask its network itself.
    var isAdvice = false
  }

  /// Actors by their types, the main actor and the pool.
  let domains: [String]
  let rows: [Row]
  private(set) var rules: [Rule]

  /// Judges an execution of a system with this descriptor, which was judged by ``checks(of:beside:)``.
  init(_ execution: Simulation.Execution, of descriptor: SystemDescriptor) {
    var count = Count(execution.trace)
    for event in execution.trace.events { count.add(event) }
    domains = count.domains
    rows = count.rows
    rules = Boundary.all.map { $0.rule(execution, count, descriptor) }
    if execution.ending == .died {
      rules.append(
        Rule(
          name: "comes-to-its-end", sentence: "it comes to its end",
          verdict: .broken(execution.violations.map(\.message))))
    }
  }

  /// The names of the rules that are broken and are no advice.
  var broken: [String] { rules.filter { !$0.isAdvice && $0.verdict.isBroken }.map(\.name) }

  /// The checks of an audit: every rule of the boundaries that the system has, with the parameter that `scenario` gives it.
  static func checks(of descriptor: SystemDescriptor, beside scenario: Scenario) -> [Check] {
    let names = Set(Boundary.all.map(\.name))
    return descriptor.invariants.filter { names.contains($0.name) && $0.isForStories }.map { invariant in
      scenario.checks.first { $0.invariant == invariant.name }
        ?? Check(invariant: invariant.name, parameter: invariant.usual, position: scenario.position)
    }
  }
}

/// The rules of the boundaries, in the order in which an audit shows them.
enum Boundary: Equatable {
  case rule(SystemBoundaries.Rule)
  case tasksAreOwned

  static let all = SystemBoundaries.Rule.allCases.map(Boundary.rule) + [.tasksAreOwned]

  var name: String {
    switch self {
    case .rule(let rule): rule.rawValue
    case .tasksAreOwned: "nothing-outlives"
    }
  }

  var sentence: String {
    switch self {
    case .rule(.screenOnlyOnMain): "the screen changes on the main actor only"
    case .rule(.mainActorResponsive): "the main actor is never kept busy by work"
    case .rule(.ownersApart): "network and store have different owners"
    case .rule(.askedOffMain): "network and store are asked off the main actor"
    case .rule(.cancellationReachesTransport): "a cancel reaches every call under way"
    case .rule(.savedIsKept): "what is reported as saved is there after a relaunch"
    case .rule(.stallsNoOther): "an action waits only for what it needs"
    case .tasksAreOwned: "every task is owned"
    }
  }

  fileprivate func rule(
    _ execution: Simulation.Execution, _ count: Count, _ descriptor: SystemDescriptor
  ) -> Audit.Rule {
    let counted = counted(count)
    let broken = execution.violations.filter { $0.invariant == name }.map(\.message)
    let verdict: Audit.Verdict
    if !broken.isEmpty {
      verdict = .broken(broken)
    } else if let exception = descriptor.exceptions.first(where: { $0.invariant == name }) {
      verdict = .leftOut(exception.reason)
    } else if self == .tasksAreOwned || descriptor.invariants.contains(where: { $0.name == name }) {
      verdict = counted == .untouched ? .untouched : .holds
    } else {
      return Audit.Rule(name: name, sentence: sentence, verdict: counted ?? .untouched, isAdvice: true)
    }
    return Audit.Rule(name: name, sentence: sentence, verdict: verdict)
  }

  /// The result of a rule that can be judged by counting alone; nil for the others.
  private func counted(_ count: Count) -> Audit.Verdict? {
    switch self {
    case .rule(.mainActorResponsive): count.closedMain
    case .rule(.askedOffMain): count.askedFromMain
    case .rule(.cancellationReachesTransport): count.cancels
    default: nil
    }
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
  private var underWay: [Int: (call: Trace.Call, task: Int?)] = [:]
  /// The tasks of the actions.
  private var actions: [Trace.Action: Int] = [:]
  /// What is observed; the trace begins with what everything holds.
  private var seen: Set<String> = []
  private var calls = 0
  private var cancelled = false
  /// Calls that a cancel has not reached yet.
  private var unreached: [Int: String] = [:]

  init(_ trace: Trace) {
    self.trace = trace
  }

  mutating func add(_ event: Trace.Event) {
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

  private mutating func cancel(_ action: Trace.Action, at time: VirtualInstant) {
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
