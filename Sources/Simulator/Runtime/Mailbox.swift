/// The order that a serial domain keeps among those who wait for it, where it keeps one.
///
/// An arrival is *on its way* until it has *landed*: it may then be anywhere between the moment in which it set out
/// and now, so it may be picked before or after others. What is known to have landed keeps its place:
///
/// - An isolated start (`Task { @MainActor in … }`) lands when the task is made.
/// - A hop from a serial domain has landed when that domain takes its next step: the runtime puts it into the
///   other mailbox before it lets go of the domain.
/// - A hop from the pool, or of a task that was resumed there, may be late without limit.
///
/// So `c` must wait for a landed `f` of at least its priority if `c` set out after `f` landed; and for one of higher
/// priority that had landed when the domain last became free. All other orders are possible. The main actor and
/// executors of the user know no priorities.
///
/// Moments are counted in arrivals: an arrival's id is the moment in which it set out.
final class Mailbox {
  typealias Moment = Candidate.ID

  /// A list that is mostly taken from at its front: O(1) there, amortized.
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

    /// Takes out the first that `matches`, if there is one. O(its distance from the front, and to the end).
    mutating func remove(where matches: (Element) -> Bool) {
      guard let index = elements[head...].firstIndex(where: matches) else { return }
      if index == head { removeFirst() } else { elements.remove(at: index) }
    }

    /// Puts `element` before the last ones that it `precedes`.
    mutating func insert(_ element: Element, where precedes: (Element) -> Bool) {
      var index = elements.count
      while index > head, precedes(elements[index - 1]) { index -= 1 }
      elements.insert(element, at: index)
    }
  }

  private struct Lane {
    let priority: UInt8
    /// Who has landed and not left, in the order of landing.
    var landed = Queue<(id: Candidate.ID, at: Moment)>()
    /// Who must wait, oldest first.
    var waiting = Queue<Candidate.ID>()
  }

  /// Highest priority first.
  private var lanes: [Lane] = []
  /// When the domain last became free.
  private var free: Moment = 0

  /// Whether the arrival `id` must wait; it is remembered if so. O(priorities in use).
  func mustWait(_ id: Candidate.ID, priority: UInt8) -> Bool {
    guard id >= limit(priority) else { return false }
    lanes[lane(priority)].waiting.insert(id) { $0 > id }
    return true
  }

  /// `id` has landed at the moment `at`, which no earlier call has passed.
  func landed(_ id: Candidate.ID, priority: UInt8, at moment: Moment) {
    lanes[lane(priority)].landed.append((id, moment))
  }

  /// One that had landed has left; answers who need no longer wait. O(those released), as a rule.
  func left(_ id: Candidate.ID, priority: UInt8) -> [Candidate.ID] {
    // Who landed first nearly always leaves first.
    lanes[lane(priority)].landed.remove { $0.id == id }
    var released: [Candidate.ID] = []
    for index in lanes.indices where lanes[index].priority <= priority {
      let limit = limit(lanes[index].priority)
      while let next = lanes[index].waiting.first, next < limit {
        lanes[index].waiting.removeFirst()
        released.append(next)
      }
    }
    return released
  }

  /// The domain became free at `moment`. Answers the priority below which every arrival must now wait, if any: then
  /// the caller tells who that is by ``holdBack(_:priority:)``.
  func becameFree(at moment: Moment) -> UInt8? {
    free = moment
    return lanes.first { $0.landed.first != nil }?.priority
  }

  /// `id`, which was on offer, must wait.
  func holdBack(_ id: Candidate.ID, priority: UInt8) {
    lanes[lane(priority)].waiting.insert(id) { $0 > id }
  }

  /// The first moment of setting out that is too late for `priority`.
  private func limit(_ priority: UInt8) -> Moment {
    var limit = Moment.max
    for lane in lanes {
      guard lane.priority >= priority, let oldest = lane.landed.first?.at else { continue }
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
