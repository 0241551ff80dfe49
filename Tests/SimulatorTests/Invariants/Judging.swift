import Simulator

/// A screen of one value, observed as `screen`.
@MainActor final class Screen {
  var value: Trace.Value = "empty"

  nonisolated init(_ simulation: Simulation, _ value: Trace.Value = "empty") {
    simulation.observe("screen") { MainActor.assumeIsolated { self.value } }
    simulation.outsideSteps { MainActor.assumeIsolated { self.value = value } }
  }

  func show(_ value: Trace.Value) { self.value = value }
}

extension Invariant {
  /// The violations' sentences in one execution of `body`, judged by this invariant alone; and whether it judged.
  func judging(
    until limit: Duration = .seconds(60), _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) -> (sentences: [String], judged: Bool) {
    var options = Simulation.Options()
    options.timeLimit = limit
    let execution = simulate(options: options) { [self] simulation in
      simulation.require(self)
      try await body(simulation)
    }
    let violations = execution.violations.filter { $0.invariant != Invariant.BuiltIn.unfinished }
    return (violations.map(\.message), !execution.vacuousInvariants.contains(name))
  }

  /// Whether one execution of `body` breaks it, and nothing else.
  func isBroken(_ body: @escaping @Sendable (Simulation) async throws -> Void) -> Bool {
    let execution = simulate { [self] simulation in
      simulation.require(self)
      try await body(simulation)
    }
    return execution.violations.map(\.invariant) == [name]
  }

  /// What race the violation in one execution of `body` shows; nil where it has no name.
  func diagnosis(of body: @escaping @Sendable (Simulation) async throws -> Void) -> Invariant.Diagnosis? {
    simulate { [self] simulation in
      simulation.require(self)
      try await body(simulation)
    }.violations.first?.diagnosis
  }

  /// Whether one execution of `body` has something to judge, and holds.
  func holds(_ body: @escaping @Sendable (Simulation) async throws -> Void) -> Bool {
    let (sentences, judged) = judging(body)
    return sentences.isEmpty && judged
  }
}

extension Simulation {
  /// Runs `body` as the action `name` of a script, in a task of its own.
  func act(_ name: String, _ body: @escaping @MainActor () async throws -> Void) -> Task<Void, Never> {
    act(Trace.Action(label: name, name: name), body)
  }

  /// Runs `body` as an action of a script, in a task of its own.
  func act(_ action: Trace.Action, _ body: @escaping @MainActor () async throws -> Void) -> Task<Void, Never>
  {
    Task { @MainActor in
      self.record(.actionBegan(action))
      do {
        try await body()
        self.record(.actionEnded(action, .returned(.none)))
      } catch {
        self.record(.actionEnded(action, .failure(error)))
      }
    }
  }
}
