extension Strategies {
  /// A random walk that distinguishes behaviors the way a reduced search does: it follows dependencies, so steps that
  /// only wait are not part of a behavior.
  struct RandomSample: Strategies.DependencyObserver {
    private var walk = Strategies.RandomWalk()

    var followsCandidates: Bool { true }
    var followsDependencies: Bool { true }

    mutating func began(_ number: Int, seed: UInt64) { walk.began(number, seed: seed) }
    mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { walk.pick(point) }
    mutating func ended(_ summary: Strategies.ExecutionSummary) {}
    mutating func offered(_ candidate: Strategies.Candidate) {}
    mutating func withdrew(_ candidate: Strategies.Candidate) {}
    mutating func took(_ candidate: Strategies.Candidate) {}
    mutating func timePassed() {}
    mutating func acted(_ action: Int) {}
    mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.SharedObject.Access) {}
  }
}
