/// The order that a serial domain keeps among those who wait for it.
///
/// An isolated start (`Task { @MainActor in … }`) takes its place in the mailbox when the task is made. Everything
/// else is on its way until it is picked. So an arrival must wait while an older *fixed* one of at least its
/// priority waits; all other orders are possible. The main actor and executors of the user know no priorities.
final class Mailbox {
  private struct Lane {
    let priority: UInt8
    var fixed = Queue()
    var waiting = Queue()
  }

  /// The ids of a lane, ascending: O(1) at both ends, amortised.
  private struct Queue {
    private var ids: ContiguousArray<Candidate.ID> = []
    private var head = 0

    var first: Candidate.ID? { head < ids.count ? ids[head] : nil }

    mutating func append(_ id: Candidate.ID) { ids.append(id) }

    mutating func removeFirst() {
      head += 1
      guard head == ids.count else { return }
      ids.removeAll(keepingCapacity: true)
      head = 0
    }
  }

  /// Highest priority first.
  private var lanes: [Lane] = []
  private var fixedCount = 0

  /// Takes note of an arrival; true if it must wait for an older one. O(priorities in use).
  func mustWait(_ id: Candidate.ID, priority: UInt8, isFixed: Bool) -> Bool {
    guard fixedCount > 0 || isFixed else { return false }
    let waits = lanes.contains { $0.priority >= priority && $0.fixed.first != nil }
    let lane = lane(priority)
    if waits { lanes[lane].waiting.append(id) }
    if isFixed {
      lanes[lane].fixed.append(id)
      fixedCount += 1
    }
    return waits
  }

  /// The oldest fixed arrival of `priority` has left; answers who need no longer wait. A later one of the same
  /// priority never leaves before it.
  func fixedLeft(priority: UInt8) -> [Candidate.ID] {
    fixedCount -= 1
    lanes[lane(priority)].fixed.removeFirst()
    var released: [Candidate.ID] = []
    var oldestFixed = Candidate.ID.max
    for index in lanes.indices {
      oldestFixed = min(oldestFixed, lanes[index].fixed.first ?? .max)
      guard lanes[index].priority <= priority else { continue }
      while let next = lanes[index].waiting.first, next <= oldestFixed {
        lanes[index].waiting.removeFirst()
        released.append(next)
      }
    }
    return released
  }

  private func lane(_ priority: UInt8) -> Int {
    if let index = lanes.firstIndex(where: { $0.priority == priority }) { return index }
    let index = lanes.firstIndex { $0.priority < priority } ?? lanes.count
    lanes.insert(Lane(priority: priority), at: index)
    return index
  }
}
