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
    /// The ends with which it can come together, and those with which it has; one bit for the slot of each.
    fileprivate(set) var partners: UInt64 = 0
    fileprivate(set) var met: UInt64 = 0

    var isRange: Bool { earliest < latest }

    init(
      order: UInt32, task: Int32, nth: UInt16, earliest: Int64, latest: Int64, subject: Subject? = nil
    ) {
      (self.order, self.task, self.nth) = (order, task, nth)
      (self.earliest, self.latest, self.subject) = (earliest, latest, subject)
    }
  }

  /// The thing that waits for a timer; a sleep has none.
  enum Subject: Equatable {
    /// A call of a fake.
    case call(String)
    /// An action that a task performs at the end.
    case action(String)
  }

  static let most = 64

  private var ends: ContiguousArray<End> = []
  /// The slots in use, the slots of ends that have not come, and those of ranges.
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
    (used, pending, ranges, come, instant) = (0, 0, 0, 0, -1)
    (isCut, isInUse) = (false, false)
  }

  /// Notes that there were ends that could not be followed.
  mutating func cut() { isCut = true }

  /// Returns true if a range is pending that `instant` lies in, and another end can be followed.
  func hasRange(around instant: Int64) -> Bool {
    guard !isCut else { return false }
    return Self.contains(in: pending & ranges) {
      ends[$0].earliest <= instant && instant <= ends[$0].latest
    }
  }

  /// Follows an end. O(the number of pending ones).
  mutating func add(_ end: End) {
    isInUse = true
    let slot = (~used).trailingZeroBitCount
    guard slot < Self.most, !isCut else { return cut() }
    var end = end
    let bit: UInt64 = 1 << UInt64(slot)
    Self.forEach(in: end.isRange ? pending : pending & ranges) { other in
      guard ends[other].earliest <= end.latest, end.earliest <= ends[other].latest else { return }
      ends[other].partners |= bit
      end.partners |= 1 << UInt64(other)
    }
    if slot < ends.count { ends[slot] = end } else { ends.append(end) }
    used |= bit
    pending |= bit
    ranges = end.isRange ? ranges | bit : ranges & ~bit
  }

  /// Notes that the end of this order has come.
  mutating func come(_ order: UInt32, at now: Int64) {
    guard let slot = leave(order) else { return }
    if now != instant { (instant, come) = (now, 0) }
    let bit: UInt64 = 1 << UInt64(slot)
    let together = come & ends[slot].partners
    ends[slot].met |= together
    Self.forEach(in: together) { ends[$0].met |= bit }
    come |= bit
  }

  /// Notes that no task waits any longer for the end of this order.
  mutating func kill(_ order: UInt32) { _ = leave(order) }

  /// Returns the slot of an end that is no longer pending, if it is part of a pair. Any other slot is used again.
  private mutating func leave(_ order: UInt32) -> Int? {
    var found: Int?
    Self.forEach(in: pending) { if ends[$0].order == order { found = $0 } }
    guard let slot = found else { return nil }
    let bit: UInt64 = 1 << UInt64(slot)
    pending &= ~bit
    if ends[slot].partners != 0 { return slot }
    used &= ~bit
    return nil
  }

  /// Calls `body` with each end that is part of a pair, and its slot.
  func forEach(_ body: (Int, End) -> Void) {
    Self.forEach(in: used) { if ends[$0].partners != 0 { body($0, ends[$0]) } }
  }

  /// Calls `body` with the places of the bits that are set, ascending.
  @inline(__always)
  static func forEach(in bits: UInt64, _ body: (Int) -> Void) {
    var rest = bits
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  @inline(__always)
  private static func contains(in bits: UInt64, where matches: (Int) -> Bool) -> Bool {
    var rest = bits
    while rest != 0 {
      if matches(rest.trailingZeroBitCount) { return true }
      rest &= rest - 1
    }
    return false
  }
}

/// The subjects that wait for the latest timers. Each is noted before its timer is set.
struct TimerSubjects {
  private var notes: ContiguousArray<(order: UInt32, task: Int32, subject: TimerEnds.Subject)> = []
  private static let most = 64

  var isEmpty: Bool { notes.isEmpty }

  mutating func removeAll() {
    if !notes.isEmpty { notes.removeAll(keepingCapacity: true) }
  }

  mutating func note(_ subject: TimerEnds.Subject, order: UInt32, task: Int32) {
    if notes.count == Self.most { notes.removeFirst(Self.most / 2) }
    notes.append((order, task, subject))
  }

  func subject(order: UInt32, task: Int32) -> TimerEnds.Subject? {
    notes.last { $0.order == order && $0.task == task }?.subject
  }
}
