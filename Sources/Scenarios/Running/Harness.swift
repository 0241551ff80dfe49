import Simulator

/// The harness of one execution of a scenario: the system in its world, and the tasks that act on it.
@MainActor final class Harness {
  private let system: any System
  private let script: [ScriptLine]
  private let simulation: Simulation
  private let usage: Usage
  let world: World
  /// The tasks of each line that has begun, by its label.
  private var begun: [String: [(action: Trace.Action, task: Task<Void, Never>)]] = [:]
  private var counts: [String: Int] = [:]

  init(
    _ scenario: Scenario, _ variant: String, of type: any System.Type, in world: World,
    noting usage: Usage, judging invariants: [Invariant]?, in simulation: Simulation
  ) throws {
    self.world = world
    system = try type.init(variant, in: world)
    script = scenario.script
    self.simulation = simulation
    self.usage = usage
    guard let invariants else { return }
    for invariant in invariants { simulation.require(invariant) }
    for observation in system.observed { observation.install(simulation) }
  }

  /// Offers the lines that may happen anytime; a cancel only when there is something to cancel.
  func offerAnytimeLines() {
    for (index, line) in script.enumerated() where line.at == .anytime {
      if case .cancel = line { continue }
      offer(index)
    }
  }

  /// Performs the line, in tasks of its own.
  func perform(_ index: Int) {
    switch script[index] {
    case .action(let line):
      usage.performed(line: index)
      begin(line)
    case .cancel(let line):
      if begun[line.label] != nil { usage.performed(line: index) }
      cancel(line)
    }
  }

  /// Performs the line at once, by nature, or up to `longest` later.
  func perform(_ index: Int, atMost longest: Duration) {
    simulation.act(script[index].shortText, atMost: longest) { [simulation] in
      simulation.outsideSteps { MainActor.assumeIsolated { self.perform(index) } }
    }
  }

  private func offer(_ index: Int) {
    simulation.anytime(script[index].shortText) { [simulation] in
      simulation.outsideSteps { MainActor.assumeIsolated { self.perform(index) } }
    }
  }

  private func begin(_ line: ActionLine) {
    for number in 1...line.times {
      let action = Trace.Action(label: label(of: line, number), name: line.action)
      let task = Task(name: action.label) { await self.run(action, line.arguments) }
      simulation.keep(task)
      if let label = line.label { begun[label, default: []].append((action, task)) }
    }
    guard let label = line.label else { return }
    if script.contains(where: { $0.at == .everywhere && $0.cancels(label) }) {
      for (action, task) in begun[label] ?? [] { simulation.cancelAnywhere(task, as: action) }
    }
    for (index, line) in script.enumerated() where line.at == .anytime && line.cancels(label) { offer(index) }
  }

  private func run(_ action: Trace.Action, _ arguments: NamedValues) async {
    simulation.nameTask(action.label)
    simulation.record(.actionBegan(action))
    do {
      try await system.perform(UserAction(name: action.name, arguments: arguments))
      simulation.record(.actionEnded(action, .returned(.none)))
    } catch {
      simulation.record(.actionEnded(action, .failure(error)))
    }
  }

  private func cancel(_ line: CancelLine) {
    guard let begun = begun[line.label] else {
      return simulation.record(.note("cancel \(line.label): it has not begun"))
    }
    for (action, task) in begun {
      simulation.record(.cancelled(action))
      task.cancel()
    }
  }

  /// The line's label or action, numbered where it would not be the only one.
  private func label(of line: ActionLine, _ number: Int) -> String {
    let name = line.label ?? line.action
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count > 1 || line.times > 1 ? "\(name) \(count)" : name
  }
}

extension ScriptLine {
  fileprivate var shortText: String {
    switch self {
    case .action(let line): line.label ?? line.action
    case .cancel(let line): "cancel \(line.label)"
    }
  }

  fileprivate func cancels(_ label: String) -> Bool {
    if case .cancel(let line) = self { return line.label == label }
    return false
  }
}
