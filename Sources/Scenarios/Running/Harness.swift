import ScenarioFiles
import Simulator

/// The harness of one execution of a scenario: the system in its world, and the tasks that act on it.
@MainActor final class Harness {
  let make: @MainActor () throws -> any System
  var process: SimulatedProcess
  var system: any System
  /// Which launch of the app this is.
  var launches = 1
  private let script: [ScriptLine]
  let simulation: Simulation
  private let usage: Usage
  let world: World
  /// The tasks of each line that has begun, by its label.
  var begun: [String: [Begun]] = [:]
  private var counts: [String: Int] = [:]
  /// Where a story is made up, the actions that have begun and not ended, in that order.
  var underWay: [Trace.Action] = []
  private let tellsStories: Bool
  let isJudged: Bool
  /// Told what happens in the story.
  let recorder: StoryRecorder?

  init(
    _ scenario: Scenario, _ variant: String, of type: any System.Type, in world: World,
    noting usage: Usage, recordedBy recorder: StoryRecorder? = nil, judging invariants: [Invariant]?,
    in simulation: Simulation
  ) throws {
    self.world = world
    self.recorder = recorder
    tellsStories = scenario.isMadeUp
    make = { try type.init(variant, in: world) }
    process = simulation.process(Self.processName)
    system = try simulation.within(process, make)
    isJudged = invariants != nil
    script = scenario.script
    self.simulation = simulation
    self.usage = usage
    guard let invariants else { return }
    for invariant in invariants { simulation.require(invariant) }
    observe()
  }

  func observe() {
    for observation in system.observed { observation.install(simulation) }
  }

  /// An action that has begun, and the task that does it; nil for what no task does.
  typealias Begun = (action: Trace.Action, task: Task<Void, Never>?, launch: Int)

  /// Offers the lines that may happen anytime; a cancel only when there is something to cancel. Makes up the stories.
  func offerLines() {
    for (index, line) in script.enumerated() where line.at == .anytime {
      switch line {
      case .action: offer(index)
      case .cancel: break
      case .anything(let anything):
        Story(anything, on: self, noting: { [usage] in usage.performed(line: index, $0) }).begin()
      }
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
    case .anything: break
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
      let label = label(line.label ?? line.action, number, isOnly: line.times == 1)
      let started = start(
        Trace.Action(label: label, name: line.action, arguments: line.arguments.traced), line.arguments)
      if let label = line.label { begun[label, default: []].append(started) }
    }
    guard let label = line.label else { return }
    let everywhere = script.indices.filter { script[$0].at == .everywhere && script[$0].cancels(label) }
    if !everywhere.isEmpty {
      for case (let action, let task?, _) in begun[label] ?? [] {
        simulation.cancelAnywhere(task, as: action) { [usage] in everywhere.forEach(usage.performed) }
      }
    }
    for (index, line) in script.enumerated() where line.at == .anytime && line.cancels(label) { offer(index) }
  }

  /// Begins an action in a task of its own, which is no line of a script.
  func begin(_ name: String, _ words: String, _ arguments: NamedValues) -> Begun {
    start(
      Trace.Action(
        label: label(words.isEmpty ? name : "\(name) \(words)", 1, isOnly: true), name: name,
        arguments: arguments.traced),
      arguments)
  }

  private func start(_ action: Trace.Action, _ arguments: NamedValues) -> Begun {
    if tellsStories {
      for other in underWay { usage.overlapped(other.name, action.name) }
    }
    if action.name == SystemDescriptor.Action.relaunch.name {
      relaunch()
      return (action, nil, launches)
    }
    if tellsStories { underWay.append(action) }
    let task = simulation.within(process) { Task(name: action.label) { await self.run(action, arguments) } }
    simulation.keep(task)
    return (action, task, launches)
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
    if let index = underWay.firstIndex(of: action) { underWay.remove(at: index) }
  }

  private func cancel(_ line: CancelLine) {
    guard let begun = begun[line.label] else {
      return simulation.record(.cancelledNothing(label: line.label))
    }
    begun.forEach(cancel)
  }

  /// The user no longer wants what was begun. Without effect when the process has died since.
  func cancel(_ begun: Begun) {
    guard let task = begun.task, begun.launch == launches else { return }
    simulation.record(.cancelled(begun.action))
    task.cancel()
  }

  /// The line's label or action, numbered where it would not be the only one.
  private func label(_ name: String, _ number: Int, isOnly: Bool) -> String {
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count > 1 || !isOnly ? "\(name) \(count)" : name
  }
}

extension NamedValues {
  /// As a trace has them.
  fileprivate var traced: Trace.Value {
    entries.isEmpty ? .none : .record(entries.map { .init($0.name, $0.value.traced) })
  }
}

extension ParameterValue {
  fileprivate var traced: Trace.Value {
    switch self {
    case .string(let text): .text(text)
    case .integer(let number): .int(number)
    case .duration(let duration): .text(duration.duration.shortText)
    case .bool(let bool): .bool(bool)
    }
  }
}

extension ScriptLine {
  var shortText: String {
    switch self {
    case .action(let line): line.label ?? line.action
    case .cancel(let line): "cancel \(line.label)"
    case .anything: "anything"
    }
  }

  fileprivate func cancels(_ label: String) -> Bool {
    if case .cancel(let line) = self { return line.label == label }
    return false
  }
}
