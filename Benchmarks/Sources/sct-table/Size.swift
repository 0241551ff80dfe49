import SCTBench
import Simulator
import SimulatorStrategies
import Synchronization

/// How large an execution is.
struct Size {
  var visits = 0
  var steps = 0

  /// The largest of a hundred random executions: those that fail early are smaller.
  static func largest(of program: SCTProgram) -> Size {
    let largest = Largest()
    let options = Simulation.Options(foreignThreadTimeout: .zero, steps: program.steps)
    var explorer = Explorer(name: program.name, options: options, body: program.body)
    explorer.strategy = Counting(largest)
    explorer.budget.violationsToFind = nil
    explorer.budget.schedules = 100
    _ = explorer.explore()
    return largest.size.withLock { $0 }
  }
}

private final class Largest: Sendable {
  let size = Mutex(Size())
}

/// A random walk that counts what it walks over.
private struct Counting: Strategies.PartObserver {
  private var base = Strategies.RandomWalk()
  private var size = Size()
  private let largest: Largest

  init(_ largest: Largest) { self.largest = largest }

  var followsCandidates: Bool { true }
  var followsParts: Bool { true }

  mutating func began(_ number: Int, seed: UInt64) {
    size = Size()
    base.began(number, seed: seed)
  }

  mutating func offered(_ candidate: Strategies.Candidate) {}
  mutating func withdrew(_ candidate: Strategies.Candidate) {}
  mutating func used(_ lock: Int) {}

  mutating func took(_ candidate: Strategies.Candidate) {
    size.steps += 1
    if candidate.domain != 0 { size.visits += 1 }
  }

  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { base.pick(point) }

  mutating func ended(_ summary: Strategies.ExecutionSummary) {
    largest.size.withLock { if $0.steps < size.steps { $0 = size } }
  }
}
