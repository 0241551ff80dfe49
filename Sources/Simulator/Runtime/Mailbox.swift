/// The order that a serial domain keeps among those who wait for it.
///
/// An isolated start (`Task { @MainActor in … }`) takes its place in the mailbox when the task is made, and a hop
/// out of a serial domain takes it before that domain's next step. Everything else is on its way until it is
/// picked. So an arrival must wait while one that had its place before, of at least its priority, has not run; all
/// other orders are possible. Whoever the domain's own step puts there goes before everybody of lower priority,
/// however old: the runtime looks for the highest priority when that step ends. The main actor and executors of the
/// user know no priorities.
final class Mailbox {
  /// An arrival that has its place, and since when: places and arrivals are numbered in one sequence.
  private struct Place {
    let since: Candidate.ID
    var id: Candidate.ID
  }

  private struct Lane {
    let priority: UInt8
    var places = Queue<Place>()
    var waiting = Queue<Candidate.ID>()
  }

  /// In ascending order: O(1) at both ends, amortised.
  private struct Queue<Element> {
    private(set) var elements: ContiguousArray<Element> = []
    private(set) var head = 0

    var first: Element? { head < elements.count ? elements[head] : nil }
    var indices: Range<Int> { head..<elements.count }

    mutating func append(_ element: Element) { elements.append(element) }
    mutating func replace(_ index: Int, _ element: Element) { elements[index] = element }

    mutating func removeFirst() {
      head += 1
      guard head == elements.count else { return }
      elements.removeAll(keepingCapacity: true)
      head = 0
    }
  }

  /// Highest priority first.
  private var lanes: [Lane] = []
  private var placeCount = 0
  /// Those who go before everybody of lower priority, and those who were on offer and wait for them.
  private var urgent: [Ranked] = []
  private var heldBack: [Ranked] = []

  private struct Ranked {
    let id: Candidate.ID
    let priority: UInt8
  }

  /// Takes note of an arrival; true if it must wait for an older one. With `hasPlace` it takes its place now.
  /// O(priorities in use).
  func mustWait(_ id: Candidate.ID, priority: UInt8, hasPlace: Bool) -> Bool {
    guard placeCount > 0 || hasPlace else { return false }
    let waits = lanes.contains { $0.priority >= priority && $0.places.first != nil }
    if waits { lanes[lane(priority)].waiting.append(id) }
    if hasPlace { place(id, since: id, priority: priority) }
    return waits
  }

  /// An arrival that was on its way takes its place: who comes later must wait for it.
  func place(_ id: Candidate.ID, since: Candidate.ID, priority: UInt8) {
    lanes[lane(priority)].places.append(Place(since: since, id: id))
    placeCount += 1
  }

  /// An arrival that had a place has left; answers who need no longer wait. O(1) amortised where places are left in
  /// the order in which they were taken.
  func left(_ id: Candidate.ID, priority: UInt8) -> [Candidate.ID] {
    placeCount -= 1
    vacate(id, lane(priority))
    if !urgent.isEmpty { urgent.removeAll { $0.id == id } }
    var released = heldBack.isEmpty ? [] : noLongerHeldBack()
    var oldestPlace = Candidate.ID.max
    for index in lanes.indices {
      oldestPlace = min(oldestPlace, lanes[index].places.first?.since ?? .max)
      guard lanes[index].priority <= priority else { continue }
      while let next = lanes[index].waiting.first, next <= oldestPlace {
        lanes[index].waiting.removeFirst()
        let ranked = Ranked(id: next, priority: lanes[index].priority)
        if isOvertaken(ranked) { heldBack.append(ranked) } else { released.append(next) }
      }
    }
    return released
  }

  /// The arrival `id`, put here by the domain's own step, goes before everybody of lower priority.
  func overtakes(_ id: Candidate.ID, priority: UInt8) { urgent.append(Ranked(id: id, priority: priority)) }

  /// An arrival that was on offer must wait for one that overtakes it.
  func holdBack(_ id: Candidate.ID, priority: UInt8) { heldBack.append(Ranked(id: id, priority: priority)) }

  private func isOvertaken(_ ranked: Ranked) -> Bool { urgent.contains { $0.priority > ranked.priority } }

  private func noLongerHeldBack() -> [Candidate.ID] {
    let free = heldBack.filter { !isOvertaken($0) }
    if !free.isEmpty { heldBack.removeAll { !isOvertaken($0) } }
    return free.map(\.id)
  }

  /// No arrival has this number; it marks a place whose holder has left before older ones.
  private static let vacant = Candidate.ID.max

  private func vacate(_ id: Candidate.ID, _ lane: Int) {
    guard let index = lanes[lane].places.indices.first(where: { lanes[lane].places.elements[$0].id == id })
    else { preconditionFailure("arrival \(id) left a place that it did not have") }
    let since = lanes[lane].places.elements[index].since
    lanes[lane].places.replace(index, Place(since: since, id: Self.vacant))
    while lanes[lane].places.first?.id == Self.vacant { lanes[lane].places.removeFirst() }
  }

  private func lane(_ priority: UInt8) -> Int {
    if let index = lanes.firstIndex(where: { $0.priority == priority }) { return index }
    let index = lanes.firstIndex { $0.priority < priority } ?? lanes.count
    lanes.insert(Lane(priority: priority), at: index)
    return index
  }
}
