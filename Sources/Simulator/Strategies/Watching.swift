/// Runs the natural order while a strategy watches and learns.
struct Watching: Strategy {
  /// The strategy that learns.
  private(set) var base: any Strategy

  init(_ base: any Strategy) { self.base = base }

  var followsCandidates: Bool { base.followsCandidates }
  var followsDependencies: Bool { base.followsDependencies }
  mutating func began(_ number: Int, seed: UInt64) { base.began(number, seed: seed) }
  mutating func offered(_ candidate: Candidate) { base.offered(candidate) }
  mutating func withdrew(_ candidate: Candidate) { base.withdrew(candidate) }
  mutating func took(_ candidate: Candidate) { base.took(candidate) }
  mutating func timePassed() { base.timePassed() }
  mutating func acted(_ action: Int) { base.acted(action) }
  mutating func accessed(_ object: SharedObject, _ access: SharedObject.Access) {
    base.accessed(object, access)
  }
  mutating func ended(_ summary: ExecutionSummary) { base.ended(summary) }
  mutating func roundEnded() { base.roundEnded() }

  mutating func pick(_ point: ChoicePoint) -> Pick {
    _ = base.pick(point)
    return .option(0)
  }
}
