internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The order that a serial domain keeps among the arrivals that wait for it, if it keeps one.
///
/// An arrival is *in flight* until it is *enqueued*. Its place is then anywhere between the moment at which it was sent
/// and now, so it may be picked before or after others. Once an arrival is known to be enqueued, it keeps its place:
///
/// - An isolated start (`Task { @MainActor in … }`) is enqueued when the task is made.
/// - A hop from a serial domain is enqueued by the time that domain takes its next step: the runtime puts it into the
///   other mailbox before it releases the domain.
/// - A hop from the pool, or of a task that was resumed there, may be late without limit.
///
/// So `c` must wait for an enqueued `f` of at least its priority if `c` was sent after `f` was enqueued. It must also
/// wait for an `f` of higher priority that was enqueued when the domain last became free. All other orders are
/// possible. The main actor and custom executors ignore priorities.
///
/// Moments are counted in arrivals: an arrival's id is the moment at which it was sent.
final class Mailbox {
  typealias Moment = Strategies.Candidate.ID

  /// A list whose elements are mostly removed from the front: O(1) there, amortized.
  private struct Queue<Element> {
    private var elements: ContiguousArray<Element> = []
    private var head = 0

    var first: Element? { head < elements.count ? elements[head] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeFirst() {
      head += 1
      guard head == elements.count || head >= 64 && head * 2 > elements.count else { return }
      elements.removeSubrange(..<head)
      head = 0
    }

    /// Removes the first element that `matches`, if there is one. O(its distance from the front, and to the end).
    mutating func remove(where matches: (Element) -> Bool) {
      guard let index = elements[head...].firstIndex(where: matches) else { return }
      if index == head { removeFirst() } else { elements.remove(at: index) }
    }

    /// Inserts `element` before those at the end that it `precedes`.
    mutating func insert(_ element: Element, where precedes: (Element) -> Bool) {
      var index = elements.count
      while index > head, precedes(elements[index - 1]) { index -= 1 }
      elements.insert(element, at: index)
    }
  }

  private struct Lane {
    let priority: UInt8
    /// The arrivals that are enqueued and have not left, in the order in which they were enqueued.
    var enqueued = Queue<(id: Strategies.Candidate.ID, at: Moment)>()
    /// The arrivals that must wait, oldest first.
    var waiting = Queue<Strategies.Candidate.ID>()
  }

  /// The lanes, highest priority first.
  private var lanes: [Lane] = []
  /// The moment at which the domain last became free.
  private var free: Moment = 0

  /// Returns true if the arrival `id` must wait, and remembers it in that case. O(priorities in use).
  func mustWait(_ id: Strategies.Candidate.ID, priority: UInt8) -> Bool {
    guard id >= limit(priority) else { return false }
    lanes[lane(priority)].waiting.insert(id) { $0 > id }
    return true
  }

  /// Notes that `id` is enqueued at `moment`. No earlier call may have passed a later moment.
  func enqueued(_ id: Strategies.Candidate.ID, priority: UInt8, at moment: Moment) {
    lanes[lane(priority)].enqueued.append((id, moment))
  }

  /// Notes that an enqueued arrival has left. Returns those that no longer need to wait. O(those released), as a rule.
  func left(_ id: Strategies.Candidate.ID, priority: UInt8) -> [Strategies.Candidate.ID] {
    // The arrival that was enqueued first nearly always leaves first.
    lanes[lane(priority)].enqueued.remove { $0.id == id }
    var released: [Strategies.Candidate.ID] = []
    for index in lanes.indices where lanes[index].priority <= priority {
      let limit = limit(lanes[index].priority)
      while let next = lanes[index].waiting.first, next < limit {
        lanes[index].waiting.removeFirst()
        released.append(next)
      }
    }
    return released
  }

  /// Notes that the domain became free at `moment`. Returns the priority below which every arrival must now wait, if
  /// any. The caller then passes each of these arrivals to ``holdBack(_:priority:)``.
  func becameFree(at moment: Moment) -> UInt8? {
    free = moment
    return lanes.first { $0.enqueued.first != nil }?.priority
  }

  /// Makes `id`, which was on offer, wait.
  func holdBack(_ id: Strategies.Candidate.ID, priority: UInt8) {
    lanes[lane(priority)].waiting.insert(id) { $0 > id }
  }

  /// Returns the first moment at which an arrival of `priority` is sent too late: it must wait.
  private func limit(_ priority: UInt8) -> Moment {
    var limit = Moment.max
    for lane in lanes {
      guard lane.priority >= priority, let oldest = lane.enqueued.first?.at else { continue }
      if lane.priority > priority, oldest <= free { return 0 }
      limit = min(limit, oldest)
    }
    return limit
  }

  private func lane(_ priority: UInt8) -> Int {
    if let index = lanes.firstIndex(where: { $0.priority == priority }) { return index }
    let index = lanes.firstIndex { $0.priority < priority } ?? lanes.count
    lanes.insert(Lane(priority: priority), at: index)
    return index
  }
}
