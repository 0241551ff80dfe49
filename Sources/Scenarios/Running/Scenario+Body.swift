import ScenarioFiles
import Simulator

extension Scenario {
  /// The scenario with one variant, as a body that can be explored.
  ///
  /// The body returns when every line with a time has begun. It waits neither for what they do nor for lines
  /// that may happen anytime: those happen at the latest when all is at rest.
  ///
  /// Each execution records in `usage` what the execution before it has used: only now has that one ended for
  /// certain.
  func body(
    _ variant: String, of type: any System.Type, noting usage: Usage = Usage(),
    recordedBy recorder: StoryRecorder? = nil,
    isJudged: Bool = true, alsoBy others: [Invariant] = []
  ) -> @Sendable (Simulation) async throws -> Void {
    let behaviors = world.behaviors(in: type.descriptor)
    let invariants = isJudged ? invariants(of: type, variant) + others : nil
    return { simulation in
      let harness = try simulation.outsideSteps {
        MainActor.assumeIsolated {
          let world = self.world(of: type, behaviors, in: simulation, noting: usage)
          return Result {
            try Harness(
              self, variant, of: type, in: world, noting: usage, recordedBy: recorder, judging: invariants,
              in: simulation)
          }
        }
      }.get()
      simulation.outsideSteps {
        MainActor.assumeIsolated {
          usage.begins(with: harness.world.fakes)
          recorder?.begins(in: harness.world)
        }
      }
      var timetable = Timetable(script)
      simulation.outsideSteps { MainActor.assumeIsolated { harness.offerLines() } }
      while let (time, entry) = timetable.next() {
        let rest = time - simulation.now.sinceStart
        if rest > .zero {
          simulation.nameNextEnd(entry.name(in: script))
          try await Task.sleep(for: rest)
        }
        switch entry {
        case .decide(let line, let bound):
          simulation.outsideSteps { MainActor.assumeIsolated { harness.perform(line, atMost: bound) } }
        case .act(let line): simulation.outsideSteps { MainActor.assumeIsolated { harness.perform(line) } }
        }
      }
    }
  }

  /// The world of an execution: what the scenario leaves open of its settings and of its connection is decided now.
  @MainActor private func world(
    of type: any System.Type, _ behaviors: [String: [String: [FakeBehavior]]], in simulation: Simulation,
    noting usage: Usage
  ) -> World {
    let settings = settings(in: simulation, noting: usage)
    let connection = world.connection
    return World(
      settings: settings, in: simulation, behaviors: behaviors.over(connection, in: type.descriptor),
      connection: connection)
  }

  /// The settings of an execution, chosen now where the scenario leaves them open.
  private func settings(in simulation: Simulation, noting usage: Usage) -> NamedValues {
    guard !offers.isEmpty else { return settings }
    return NamedValues(
      settings.entries.map { entry in
        guard let offer = offers.first(where: { $0.name == entry.name }) else { return entry }
        let chosen = simulation.choose(.setting, among: offer.values.map { Setting(offer.name, $0) })
        usage.chose("\(chosen)")
        return NamedValues.Entry(name: entry.name, value: chosen.value)
      })
  }

  /// What the variant is judged by: what the scenario lists; and every other invariant of its system, if it is meant to hold in every
  /// story, the file says that it does here, and the settings are those of a story. These need not have anything to judge.
  private func invariants(of type: any System.Type, _ variant: String) -> [Invariant] {
    let listed = checks.compactMap { check in
      type.checks.first { $0.descriptor.name == check.invariant }?.invariant(check.parameter)
    }
    if expectation(of: variant)?.outcome == .testsNothing { return listed.map(\.neverVacuous) }
    let isSound = type.descriptor.variants.contains { $0.name == variant && $0.isSound }
    guard isSound, let expectation = expectation(of: variant), expectation.outcome == .holds,
      !expectation.isMissing, hasUsualSettings(of: type.descriptor)
    else { return listed }
    let others = type.checks.filter { other in
      !checks.contains { $0.invariant == other.descriptor.name } && other.descriptor.isForStories
    }
    return listed
      + others.map { other in
        var invariant = other.invariant(other.descriptor.usual)
        invariant.mayBeVacuous = true
        return invariant
      }
  }

  /// Whether a made-up story may have the settings.
  private func hasUsualSettings(of descriptor: SystemDescriptor) -> Bool {
    settings.entries.allSatisfy { entry in
      descriptor.settings.contains { $0.name == entry.name && $0.offered.contains(entry.value) }
    }
  }

  /// The name that reports give to the exploration of a variant.
  func reportName(_ variant: String) -> String { "\(name) · \(variant)" }

  /// The limits of one execution: what is alive at its end is a violation.
  var executionOptions: Simulation.Options {
    var options = Simulation.Options()
    options.timeLimit = search.until.duration
    options.stepLimitPerInstant = search.stepLimitPerInstant
    options.steps = search.steps
    options.timerJitter = search.timerJitter.duration
    options.poolThreads = search.poolThreads
    options.forbidsOutlivingTasks = true
    return options
  }
}

/// A setting with its value, as a report tells of it.
private struct Setting: CustomStringConvertible {
  let name: String
  let value: ParameterValue

  init(_ name: String, _ value: ParameterValue) {
    self.name = name
    self.value = value
  }

  var description: String { "\(name) \(value.shown)" }
}

extension VirtualInstant {
  fileprivate var sinceStart: Duration { VirtualInstant.start.duration(to: self) }
}

extension Invariant {
  /// The same, which is reported where it has nothing to judge.
  fileprivate var neverVacuous: Invariant {
    var invariant = self
    invariant.mayBeVacuous = false
    return invariant
  }
}
