import Simulator
import Testing

/// Where an event says that it happened, and what its trace says of that domain.
@Suite struct `The place of an event` {
  actor Shelf {
    func put(_ simulation: Simulation) { simulation.record(.note("shelf")) }
  }

  @MainActor private static func show(_ simulation: Simulation) { simulation.record(.note("main")) }
  @concurrent private static func fetch(_ simulation: Simulation) async { simulation.record(.note("pool")) }

  @Test func `the pool and the main actor are distinguished from an actor`() {
    let trace = simulate { simulation in
      await Self.show(simulation)
      await Self.fetch(simulation)
      await Shelf().put(simulation)
    }.trace
    var places: [String] = []
    for event in trace.events {
      guard case .note(let text) = event.kind else { continue }
      #expect(event.isOnMainActor == (text == "main"))
      #expect(event.isOnPool == (text == "pool"))
      #expect(event.isOnMainActor == (trace.domains[event.domain].type == "MainActor"))
      #expect(event.isOnPool == (trace.domains[event.domain].type == "pool"))
      places.append(text)
    }
    #expect(places == ["main", "pool", "shelf"])
  }
}
