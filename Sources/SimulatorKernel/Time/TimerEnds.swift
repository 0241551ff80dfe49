/// The ends of the timers of one execution that can come at the same instant although the program does not ask for it:
/// of two such ends, at least one is a range.
///
/// Two ends can come together if both are pending at the same time and what is left of their ranges has an instant in
/// common. Then they are a pair. They have come together if both have come at the same instant of virtual time.
///
/// Follows ranges, and timers that are due within a range that is pending; at most 64 in an execution. It costs nothing
/// until the first range is set.
struct TimerEnds {
  /// The end of a timer.
  struct End {
    let order: UInt32
    /// The task that waits for it.
    let task: Int32
    /// Its number among the timers of the task, from 1.
    let nth: UInt16
    let earliest: Int64
    let latest: Int64
    let subject: Subject?

    var isRange: Bool { earliest < latest }
  }

  /// The thing that waits for a timer; a sleep has none.
  enum Subject: Equatable {
    /// A call of a fake.
    case call(String)
    /// An action that a task performs at the end.
    case action(String)
    /// Work that takes time.
    case work
    /// A step that waits for others until then.
    case wait
  }

  static let most = 64

  /// The ends, by slot; one bit for each slot in the sets below.
  private(set) var ends: ContiguousArray<End> = []
  /// The ends that could come together with the one in each slot, of those that were pending when it was added.
  private(set) var partners: ContiguousArray<UInt64> = []
  /// The ends that have come together with the one in each slot.
  private(set) var met: ContiguousArray<UInt64> = []
  /// The slots of the ends that are part of a pair.
  private(set) var paired: UInt64 = 0
  /// The slots in use, those of ends that have not come, and those of ranges.
  private var used: UInt64 = 0
  private var pending: UInt64 = 0
  private var ranges: UInt64 = 0
  /// The slots of the ends that have come at `instant`.
  private var come: UInt64 = 0
  private var instant: Int64 = -1
  /// True if there were ends that could not be followed.
  private(set) var isCut = false
  /// True if there has been a range in this execution.
  private(set) var isInUse = false

  mutating func removeAll() {
    guard isInUse else { return }
    ends.removeAll(keepingCapacity: true)
    partners.removeAll(keepingCapacity: true)
    met.removeAll(keepingCapacity: true)
    (used, pending, ranges, paired, come, instant) = (0, 0, 0, 0, 0, -1)
    (isCut, isInUse) = (false, false)
  }

  /// Notes that there were ends that could not be followed.
  mutating func cut() { isCut = true }

  /// Returns true if a range is pending that `instant` lies in, and another end can be followed.
  func hasRange(around instant: Int64) -> Bool {
    !isCut && overlapping(instant, instant, in: pending & ranges) != 0
  }

  /// Follows an end. O(the number of pending ones).
  mutating func add(_ end: End) {
    isInUse = true
    let slot = (~used).trailingZeroBitCount
    guard slot < Self.most, !isCut else { return cut() }
    let bit: UInt64 = 1 << UInt64(slot)
    let others = overlapping(end.earliest, end.latest, in: end.isRange ? pending : pending & ranges)
    if slot < ends.count {
      (ends[slot], partners[slot], met[slot]) = (end, others, 0)
    } else {
      ends.append(end)
      partners.append(others)
      met.append(0)
    }
    if others != 0 { paired |= others | bit }
    used |= bit
    pending |= bit
    ranges = end.isRange ? ranges | bit : ranges & ~bit
  }

  /// Returns the ends, of those in `slots`, that have an instant in common with a range.
  private func overlapping(_ earliest: Int64, _ latest: Int64, in slots: UInt64) -> UInt64 {
    var found: UInt64 = 0
    var rest = slots
    while let slot = rest.takeLowest() {
      if ends[slot].earliest <= latest, earliest <= ends[slot].latest { found |= 1 << UInt64(slot) }
    }
    return found
  }

  /// Notes that the end of this order has come.
  mutating func come(_ order: UInt32, at now: Int64) {
    guard let slot = leave(order) else { return }
    if now != instant { (instant, come) = (now, 0) }
    var others = come
    while let other = others.takeLowest() {
      guard (partners[slot] >> UInt64(other) | partners[other] >> UInt64(slot)) & 1 == 1 else { continue }
      met[slot] |= 1 << UInt64(other)
      met[other] |= 1 << UInt64(slot)
    }
    come |= 1 << UInt64(slot)
  }

  /// Notes that no task waits any longer for the end of this order.
  mutating func kill(_ order: UInt32) { _ = leave(order) }

  /// Returns the slot of an end that is no longer pending, if it is part of a pair. Any other slot is used again.
  private mutating func leave(_ order: UInt32) -> Int? {
    var rest = pending
    while let slot = rest.takeLowest() {
      guard ends[slot].order == order else { continue }
      let bit: UInt64 = 1 << UInt64(slot)
      pending &= ~bit
      if paired & bit != 0 { return slot }
      used &= ~bit
      return nil
    }
    return nil
  }
}

extension UInt64 {
  /// Removes the lowest bit that is set. Returns its place; nil if there is none.
  @inline(__always)
  mutating func takeLowest() -> Int? {
    guard self != 0 else { return nil }
    let place = trailingZeroBitCount
    self &= self - 1
    return place
  }
}

/// The subjects that wait for the latest timers. Each is noted before its timer is set.
struct TimerSubjects {
  private struct Note {
    let order: UInt32
    let task: Int32
    let subject: TimerEnds.Subject
  }

  private var notes: ContiguousArray<Note> = []
  /// The place of the next note, once there are as many as are kept.
  private var next = 0
  private static let most = 64

  var isEmpty: Bool { notes.isEmpty }

  mutating func removeAll() {
    guard !notes.isEmpty else { return }
    notes.removeAll(keepingCapacity: true)
    next = 0
  }

  mutating func note(_ subject: TimerEnds.Subject, order: UInt32, task: Int32) {
    let note = Note(order: order, task: task, subject: subject)
    guard notes.count == Self.most else { return notes.append(note) }
    notes[next] = note
    next = (next + 1) % Self.most
  }

  func subject(order: UInt32, task: Int32) -> TimerEnds.Subject? {
    if notes.isEmpty { return nil }
    return notes.first { $0.order == order && $0.task == task }?.subject
  }
}
