import Simulator
import SimulatorStrategies

/// A search that follows dependencies and makes no use of them: it tells behaviors apart as the reduced search does, for
/// which steps that only wait are no part of a behavior.
struct Following<Base: Strategies.Covering>: Strategies.Covering, Strategies.DependencyObserver {
  private var base: Base

  init(_ base: Base) { self.base = base }

  var goal: Strategies.Coverage { base.goal }
  var covered: Strategies.Coverage? { base.covered }
  var followsCandidates: Bool { true }
  var followsDependencies: Bool { true }

  mutating func began(_ number: Int, seed: UInt64) { base.began(number, seed: seed) }
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { base.pick(point) }
  mutating func ended(_ summary: Strategies.ExecutionSummary) { base.ended(summary) }
  mutating func offered(_ candidate: Strategies.Candidate) {}
  mutating func withdrew(_ candidate: Strategies.Candidate) {}
  mutating func took(_ candidate: Strategies.Candidate) {}
  mutating func timePassed() {}
  mutating func acted(_ action: Int) {}
  mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.Access) {}
}
