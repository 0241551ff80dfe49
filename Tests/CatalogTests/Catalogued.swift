import Catalog
import Dispatch
import Foundation
import Simulator
import Synchronization
import TestEffort
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// The repository's own scenarios.
enum Catalogued {
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let vocabulary = Vocabulary(systems: CatalogSystems.all.map { $0.descriptor })

  /// The scenarios of the file at the top, and of those that it includes.
  static let scenarios: [Scenario] = {
    do {
      let path = repository.appending(path: "scenarios.json").path()
      return try ScenarioFile.all(from: path, in: vocabulary).flatMap(\.scenarios)
    } catch {
      Issue.record("\(error)")
      return []
    }
  }()

  /// Every tenth of them, or all where there is time. CI runs the tool on all of them.
  static let some = scenarios.enumerated().filter { ($0.offset + 3).isMultiple(of: tries(10, all: 1)) }
    .map(\.element)

  /// The results of those, in that order. They are searched once in a process, on all processors, because the test that
  /// asks waits for them.
  static let results: [ScenarioResult] = {
    let results = Mutex([ScenarioResult?](repeating: nil, count: some.count))
    DispatchQueue.concurrentPerform(iterations: some.count) { index in
      let scenario = some[index]
      let result = ScenarioRunner(scenario: scenario, type: scenario.type).run()
      results.withLock { $0[index] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
  }()

  /// The variants that are to violate something, with the scenario in which they are.
  static let breaking: [(scenario: Scenario, expectation: Scenarios.Expectation)] =
    scenarios.flatMap { scenario in
      scenario.expectations.filter { !$0.violated.isEmpty }.map { (scenario, $0) }
    }
}

extension Scenario {
  /// The system that it plays with.
  var type: any System.Type {
    guard let type = CatalogSystems.all.first(where: { $0.descriptor.name == system }) else {
      preconditionFailure("no system \(system)")
    }
    return type
  }

  /// One execution with a variant, in the natural order.
  func played(_ variant: String) -> Simulation.Execution {
    func execution(_ isPreemptible: Bool) -> Simulation.Execution {
      let natural = Schedule(deviations: [], hasPreemptibleSteps: isPreemptible)
      return simulate(natural, options: executionOptions, body(variant, of: type))
    }
    let atomic = execution(search.steps == .preemptible)
    // A step that waits inside Foundation can only go on if others run meanwhile.
    return atomic.violations.contains { $0.invariant == Invariant.BuiltIn.escape } ? execution(true) : atomic
  }
}
