public import SimulatorStrategies

/// Partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018, the algorithm named POS
/// there).
///
/// Every pending step has a random priority, and the highest runs. The steps that race with it then get new priorities:
/// those on the same domain, and those that begin with the same lock or atomic.
public struct POS: Strategies.PartObserver, Strategies.RoundObserver, Strategies.Divisible {
  private struct Offer {
    let id: Strategies.Candidate.ID
    let place: Place?
    var priority: UInt64
  }

  /// Two steps race if they are at the same place.
  private enum Place: Equatable {
    case domain(Int), object(Int)

    /// Nil if the candidate races with no other. The domain of a parked step is closed, so no step there can run.
    init?(_ candidate: Strategies.Candidate) {
      if candidate.object != 0 {
        self = .object(candidate.object)
      } else if candidate.kind != .parked, candidate.domain != 0 {
        self = .domain(candidate.domain)
      } else {
        return nil
      }
    }
  }

  private var side = Strategies.SideChoices()
  private var offers: ContiguousArray<Offer> = []

  /// Creates a strategy for partial order sampling.
  public init() {}

  public var followsCandidates: Bool { true }
  public var followsParts: Bool { true }

  public mutating func began(_ number: Int, seed: UInt64) {
    side.began(number, seed: seed)
    offers.removeAll(keepingCapacity: true)
  }

  public mutating func offered(_ candidate: Strategies.Candidate) {
    offers.append(Offer(id: candidate.id, place: Place(candidate), priority: side.random.next()))
  }

  public mutating func withdrew(_ candidate: Strategies.Candidate) {
    side.offersChanged()
    guard let index = offers.firstIndex(where: { $0.id == candidate.id }) else { return }
    offers.swapAt(index, offers.count - 1)
    offers.removeLast()
  }

  public mutating func took(_ candidate: Strategies.Candidate) {
    withdrew(candidate)
    guard let place = Place(candidate) else { return }
    for index in offers.indices where offers[index].place == place {
      offers[index].priority = side.random.next()
    }
  }

  public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    if let pick = side.pick(point) { return pick }
    guard let highest = offers.max(by: { $0.priority < $1.priority }) else { return .option(0) }
    return side.pick(highest.id, at: point)
  }

  public mutating func used(_ lock: Int) {}

  public mutating func divide(_ part: Int, of parts: Int) {}

  public mutating func ended(_ summary: Strategies.ExecutionSummary) { side.ended() }

  public mutating func roundEnded() { side.roundEnded() }
}
