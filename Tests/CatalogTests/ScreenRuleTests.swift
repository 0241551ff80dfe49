import Catalog
import Simulator
import Synchronization
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// No person chooses whether a screen is judged: what it says decides.
@Suite struct `Rules of every screen` {
  /// What a screen says, and the rules that then concern it.
  private static let rules: [Trace.Value: [String]] = [
    "loading": ["loading-ends", "wait-is-shown"],
    "failed": ["cancel-is-not-failure", "failure-is-shown", "recovery-is-shown"],
  ]

  @Test(arguments: CatalogSystems.all.map { $0.descriptor.name })
  func `what a screen says of loading and failing is judged, or there is a reason`(system: String) throws {
    let type = try #require(CatalogSystems.all.first { $0.descriptor.name == system })
    let known = type.descriptor.invariants.map(\.name) + type.descriptor.exceptions.map(\.invariant)
    var options = StoryOptions()
    options.bound = nil
    let story = try #require(MadeUp.scenarios(of: type.descriptor, options, only: []).first)
    let said = Said()
    for variant in type.descriptor.variants where variant.isSound {
      var explorer = Explorer(
        name: variant.name, options: story.executionOptions,
        body: story.body(variant.name, of: type, alsoBy: [said.listener]))
      explorer.budget.schedules = 100
      _ = explorer.explore()
    }
    let missing = said.values.flatMap { value in
      (Self.rules[value] ?? []).filter { !known.contains($0) }.map {
        "says \(value), and nothing says of \($0)"
      }
    }
    #expect(missing.sorted() == [])
  }
}

/// Listens to what observed values, and their parts, become.
private final class Said: Sendable {
  private let all = Mutex<Set<Trace.Value>>([])

  var values: Set<Trace.Value> { all.withLock { $0 } }

  var listener: Invariant { Invariant("listener", "Holds always.") { Listener(said: self) } }

  private struct Listener: Invariant.Monitor {
    let said: Said
    var judged: Bool { true }

    func saw(_ event: Trace.Event) -> String? {
      guard case .changed(_, _, let to) = event.kind else { return nil }
      said.all.withLock { all in
        all.insert(to)
        if case .record(let fields) = to { all.formUnion(fields.map(\.value)) }
      }
      return nil
    }
  }
}
