package import SimulatorStrategyInterface

extension Strategies {
  /// A random walk that distinguishes behaviors the way a reduced search does: it follows dependencies, so steps that
  /// only wait are not part of a behavior.
  package struct RandomSample: Strategies.DependencyObserver {
    private var walk = Strategies.RandomWalk()

    package init() {}

    package var followsCandidates: Bool { true }
    package var followsDependencies: Bool { true }

    package mutating func began(_ number: Int, seed: UInt64) { walk.began(number, seed: seed) }
    package mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      // What the search has covered, it has covered for the usual random numbers.
      point.kind == .draw ? .option(0) : walk.pick(point)
    }
    package mutating func ended(_ summary: Strategies.ExecutionSummary) {}
    package mutating func offered(_ candidate: Strategies.Candidate) {}
    package mutating func withdrew(_ candidate: Strategies.Candidate) {}
    package mutating func took(_ candidate: Strategies.Candidate) {}
    package mutating func timePassed() {}
    package mutating func acted(_ action: Int) {}
    package mutating func accessed(
      _ object: Strategies.SharedObject, _ access: Strategies.Access
    ) {}
  }
}
