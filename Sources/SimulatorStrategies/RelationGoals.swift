internal import SimulatorStrategyInterface

/// The relations that one execution should bring about, as far as it can. Steps that would prevent one of them wait as
/// long as anything else can run.
package struct RelationGoals {
  private struct Goal {
    let relation: RelationTable.Relation
    var state: State
  }

  private enum State {
    /// The first event has not happened yet, or another one has come in between: the second event waits.
    case waitsForFirst
    /// The first event has happened: all events but the second one wait.
    case waitsForSecond
    case reached
  }

  private struct Offer {
    let id: Strategies.Candidate.ID
    let place: UInt64
    let event: UInt64
    let priority: UInt64
  }

  private var goals: ContiguousArray<Goal> = []
  /// The candidates on offer at the places of the goals.
  private var offers: ContiguousArray<Offer> = []
  private var heap = OfferHeap()

  mutating func began(_ relations: ContiguousArray<RelationTable.Relation>) {
    goals.removeAll(keepingCapacity: true)
    for relation in relations {
      goals.append(Goal(relation: relation, state: relation.before == 0 ? .waitsForSecond : .waitsForFirst))
    }
    offers.removeAll(keepingCapacity: true)
    heap.removeAll()
  }

  /// Adds a candidate. O(log n) for n candidates on offer, plus O(goals).
  mutating func insert(_ id: Strategies.Candidate.ID, at place: UInt64, event: UInt64, priority: UInt64) {
    let offer = Offer(id: id, place: place, event: event, priority: priority)
    if isAbout(place) { offers.append(offer) }
    put(offer)
  }

  mutating func remove(_ id: Strategies.Candidate.ID, at place: UInt64) {
    heap.remove(id)
    guard isAbout(place), let index = offers.firstIndex(where: { $0.id == id }) else { return }
    offers.swapAt(index, offers.count - 1)
    offers.removeLast()
  }

  /// Notes that the event happens.
  mutating func happens(_ event: UInt64, at place: UInt64) {
    var isChanged = false
    for index in goals.indices where goals[index].relation.place == place {
      let relation = goals[index].relation
      switch goals[index].state {
      case .reached: continue
      case .waitsForSecond where event == relation.after: goals[index].state = .reached
      case .waitsForFirst, .waitsForSecond:
        goals[index].state = event == relation.before ? .waitsForSecond : .waitsForFirst
      }
      isChanged = true
    }
    guard isChanged else { return }
    for offer in offers where offer.place == place { put(offer) }
  }

  /// Returns the candidate to run next.
  mutating func top() -> Strategies.Candidate.ID? { heap.top()?.id }

  private func isAbout(_ place: UInt64) -> Bool { goals.contains { $0.relation.place == place } }

  /// Ranks a candidate. One that has to wait ranks below all that need not.
  private mutating func put(_ offer: Offer) {
    let rank = mustWait(offer) ? 0 : UInt64(1) << 63
    heap.insert(offer.id, task: 0, priority: rank | offer.priority >> 1 | 1)
  }

  private func mustWait(_ offer: Offer) -> Bool {
    goals.contains { goal in
      guard goal.relation.place == offer.place else { return false }
      return switch goal.state {
      case .waitsForFirst: offer.event == goal.relation.after
      case .waitsForSecond: offer.event != goal.relation.after
      case .reached: false
      }
    }
  }
}
