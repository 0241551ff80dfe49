import Catalog
import Foundation
import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// The repository's own scenarios.
enum Catalogued {
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

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

  /// The scenario in `text`, a scenario without its name and its sentence.
  static func scenario(_ text: String) throws -> Scenario {
    let file = #"{ "version": 1, "scenarios": [ { "name": "test", "about": "A test.", "# + text + " } ] }"
    return try ScenarioFile(Array(file.utf8), named: "t.json", in: vocabulary).scenarios[0]
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

  /// One execution with a variant.
  func played(_ variant: String, _ schedule: Schedule = .natural) -> Simulation.Execution {
    simulate(schedule, options: executionOptions, body(variant, of: type))
  }
}

extension Simulation.Execution {
  /// Its events in short, with their times; what the fakes and the screens do left out.
  var script: [String] {
    trace.events.compactMap { event in
      switch event.kind {
      case .actionBegan(let action): "\(event.time): \(action.label) begins"
      case .actionEnded(let action, let outcome): "\(event.time): \(action.label) \(outcome)"
      case .cancelled(let action): "\(event.time): \(action.label) is cancelled"
      case .dismissed(let owner): "\(event.time): \(owner) is dismissed"
      case .died, .relaunched, .offline, .cancelledNothing, .note: "\(event.time): \(trace.text(event))"
      default: nil
      }
    }
  }
}
