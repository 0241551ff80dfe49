internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// A job that has arrived somewhere and may be run.
@safe struct Arrival {
  var job: UnsafeMutableRawPointer
  var identity: UInt
  var implementation: UInt
  var domain: Int32
  /// The index of its task, or -1 when it is not known.
  var task: Int32
  var id: Strategies.Candidate.ID
  var kind: Strategies.Candidate.Kind
  /// True if it is known to be in its domain's mailbox, where it keeps its place.
  var isEnqueued: Bool
  /// True if it resumes the work that keeps its domain closed.
  var reopensDomain: Bool
  /// True if the job is not the task itself but the runtime's job that resumes it after a yield.
  var isYield: Bool
  var priority: UInt8
  /// True if it is the rest of a step that has closed its domain until the rest runs.
  var isRest = false
  /// The object that a parked step uses next: ``Strategies/Candidate/object``.
  var object: UInt32 = 0
}

/// The arrivals, oldest first, of which some are on offer.
///
/// The queue has a slot for each arrival, in order; a bit for each slot, set if the slot is on offer; and a Fenwick
/// tree over the words of bits. Finding the k-th oldest offer, and making or withdrawing an offer, takes O(log n).
///
/// Unsafe buffers, because an array's checks for uniqueness and exclusivity would cost as much as the rest of a step.
/// They are safe because every index comes from `find`, `slot(of:)` or `append`, which stay below `end`.
@safe final class RunQueue: ExecutionTable {
  private var slots: UnsafeMutablePointer<Arrival>
  private var occupied: UnsafeMutablePointer<UInt64>
  private var offered: UnsafeMutablePointer<UInt64>
  private var tree: UnsafeMutablePointer<Int>
  /// The slot in which each id was put, by the id's low bits. Another id may have replaced it, or it may have moved.
  private var places: UnsafeMutablePointer<Int32>
  private var capacity: Int
  private var end = 0
  /// The number of waiting arrivals, on offer or not.
  private(set) var count = 0
  /// The number of arrivals on offer.
  private(set) var offers = 0

  init() {
    capacity = 64
    unsafe slots = .allocate(capacity: 64)
    unsafe occupied = .allocate(capacity: 1)
    unsafe offered = .allocate(capacity: 1)
    unsafe tree = .allocate(capacity: 2)
    unsafe places = Self.noPlaces(capacity: 64)
    unsafe occupied[0] = 0
    unsafe offered[0] = 0
    unsafe tree[0] = 0
    unsafe tree[1] = 0
  }

  deinit {
    unsafe slots.deallocate()
    unsafe occupied.deallocate()
    unsafe offered.deallocate()
    unsafe tree.deallocate()
    unsafe places.deallocate()
  }

  /// Allocates room for four ids per slot: seldom do more others than that come while an arrival waits.
  private static func noPlaces(capacity: Int) -> UnsafeMutablePointer<Int32> {
    let places = UnsafeMutablePointer<Int32>.allocate(capacity: 4 * capacity)
    unsafe places.initialize(repeating: 0, count: 4 * capacity)
    return unsafe places
  }

  @inline(__always)
  private func placeIndex(of id: Strategies.Candidate.ID) -> Int { Int(id) & (4 * capacity - 1) }

  private var words: Int { capacity >> 6 }

  /// Adds an arrival whose id is above every earlier one. O(log n) amortized.
  @inline(__always)
  func append(_ arrival: Arrival, offer: Bool) {
    if end == capacity { makeRoom() }
    let slot = end
    end = slot + 1
    unsafe slots[slot] = arrival
    unsafe places[placeIndex(of: arrival.id)] = Int32(slot)
    unsafe occupied[slot >> 6] |= 1 << UInt64(slot & 63)
    count += 1
    if offer { setOffered(slot, true) }
  }

  /// Returns the slot of the `rank`-th oldest offer.
  @inline(__always)
  func find(_ rank: Int) -> Int {
    var rest = rank
    var word = 0
    if words > 1 { (word, rest) = descend(rank) }
    var bits = unsafe offered[word]
    while rest > 0 {
      bits &= bits &- 1
      rest -= 1
    }
    return word << 6 | bits.trailingZeroBitCount
  }

  @inline(__always)
  func arrival(at slot: Int) -> Arrival { unsafe slots[slot] }

  func setEnqueued(_ slot: Int) { unsafe slots[slot].isEnqueued = true }

  /// Returns the slot of the arrival with this id; nil if it is not waiting. O(1) if it came recently, else O(log n).
  @inline(__always)
  func slot(of id: Strategies.Candidate.ID) -> Int? {
    let place = unsafe Int(places[placeIndex(of: id)])
    if place < end, unsafe slots[place].id == id, unsafe isSet(occupied, place) { return place }
    return searched(id)
  }

  @inline(never)
  private func searched(_ id: Strategies.Candidate.ID) -> Int? {
    var low = 0
    var high = end
    while low < high {
      let middle = (low + high) >> 1
      if unsafe slots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    guard low < end, unsafe slots[low].id == id, unsafe isSet(unsafe occupied, low) else { return nil }
    return low
  }

  /// Returns the number of offers that are older than the one in `slot`.
  func rank(of slot: Int) -> Int {
    let word = slot >> 6
    var older = 0
    if words > 1 {
      var index = word
      while index > 0 {
        unsafe older += tree[index]
        index &= index - 1
      }
    }
    let below = unsafe offered[word] & ((1 << UInt64(slot & 63)) &- 1)
    return older + below.nonzeroBitCount
  }

  /// Returns the job in `slot` and its task, if one waits there.
  @inline(__always)
  func waiting(in slot: Int) -> (job: UnsafeMutableRawPointer, task: Int32)? {
    guard slot < end, unsafe isSet(occupied, slot) else { return nil }
    return unsafe (slots[slot].job, slots[slot].task)
  }

  @inline(__always)
  func isOffered(_ slot: Int) -> Bool { unsafe isSet(unsafe offered, slot) }

  @inline(__always)
  func setOffered(_ slot: Int, _ on: Bool) {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    unsafe offered[slot >> 6] ^= bit
    offers += on ? 1 : -1
    if words > 1 { add(on ? 1 : -1, word: slot >> 6) }
  }

  /// Removes the arrival. O(log n).
  @inline(__always)
  func remove(_ slot: Int) {
    if isOffered(slot) { setOffered(slot, false) }
    unsafe occupied[slot >> 6] &= ~(1 << UInt64(slot & 63))
    count -= 1
    if count == 0 { end = 0 }
  }

  /// Returns the number of offers on `domain`. O(n).
  func offers(onDomain domain: Int32) -> Int {
    (0..<end).count { unsafe slots[$0].domain == domain && isOffered($0) }
  }

  /// Returns the number of offers that match. O(n).
  func offers(where matches: (Arrival) -> Bool) -> Int {
    (0..<end).count { unsafe isOffered($0) && matches(slots[$0]) }
  }

  /// Returns the slots of all waiting arrivals that match, oldest first. O(n).
  func slots(where matches: (Arrival) -> Bool) -> [Int] {
    (0..<end).filter { unsafe isSet(occupied, $0) && matches(slots[$0]) }
  }

  /// Returns the slots of all waiting arrivals on `domain`, oldest first. O(n).
  func slots(onDomain domain: Int32) -> [Int] {
    (0..<end).filter { unsafe isSet(occupied, $0) && slots[$0].domain == domain }
  }

  var isFresh: Bool { count == 0 && end == 0 && offers == 0 }

  func removeAll() {
    for word in 0..<words {
      unsafe occupied[word] = 0
      unsafe offered[word] = 0
    }
    for index in 0...words { unsafe tree[index] = 0 }
    end = 0
    count = 0
    offers = 0
  }

  // MARK: the tree over words

  private func add(_ delta: Int, word: Int) {
    var index = word + 1
    while index <= words {
      unsafe tree[index] += delta
      index += index & -index
    }
  }

  private func descend(_ rank: Int) -> (word: Int, rest: Int) {
    var position = 0
    var rest = rank
    var step = 1 << (Int.bitWidth - 1 - words.leadingZeroBitCount)
    while step > 0 {
      let next = position + step
      if next <= words, unsafe tree[next] <= rest {
        position = next
        unsafe rest -= tree[next]
      }
      step >>= 1
    }
    return (position, rest)
  }

  // MARK: room

  @inline(__always)
  private func isSet(_ bits: UnsafeMutablePointer<UInt64>, _ slot: Int) -> Bool {
    unsafe bits[slot >> 6] >> UInt64(slot & 63) & 1 == 1
  }

  /// Moves the waiting arrivals to the front, and doubles the capacity if they fill more than half of it.
  @inline(never)
  private func makeRoom() {
    let larger = count * 2 > capacity ? capacity * 2 : capacity
    let newSlots =
      unsafe larger == capacity ? slots : UnsafeMutablePointer<Arrival>.allocate(capacity: larger)
    let newWords = larger >> 6
    let newOccupied = UnsafeMutablePointer<UInt64>.allocate(capacity: newWords)
    let newOffered = UnsafeMutablePointer<UInt64>.allocate(capacity: newWords)
    unsafe newOccupied.initialize(repeating: 0, count: newWords)
    unsafe newOffered.initialize(repeating: 0, count: newWords)
    let newPlaces =
      unsafe larger == capacity ? places : Self.noPlaces(capacity: larger)
    var to = 0
    for from in 0..<end where unsafe isSet(occupied, from) {
      unsafe newSlots[to] = slots[from]
      unsafe newPlaces[Int(slots[from].id) & (4 * larger - 1)] = Int32(to)
      unsafe newOccupied[to >> 6] |= 1 << UInt64(to & 63)
      if unsafe isSet(offered, from) { unsafe newOffered[to >> 6] |= 1 << UInt64(to & 63) }
      to += 1
    }
    unsafe occupied.deallocate()
    unsafe offered.deallocate()
    if larger != capacity {
      unsafe slots.deallocate()
      unsafe tree.deallocate()
      unsafe tree = .allocate(capacity: newWords + 1)
      unsafe places.deallocate()
    }
    unsafe slots = newSlots
    unsafe places = newPlaces
    unsafe occupied = newOccupied
    unsafe offered = newOffered
    capacity = larger
    end = to
    rebuildTree()
  }

  /// Traps if the parts contradict each other. O(capacity).
  func _checkInvariants() {
    let waiting = (0..<end).filter { unsafe isSet(occupied, $0) }
    let onOffer = waiting.filter { isOffered($0) }
    precondition(waiting.count == count && onOffer.count == offers)
    precondition((0..<words).allSatisfy { unsafe offered[$0] & ~occupied[$0] == 0 })
    precondition((0..<words).reduce(0) { unsafe $0 + occupied[$1].nonzeroBitCount } == count)
    precondition(zip(waiting, waiting.dropFirst()).allSatisfy { unsafe slots[$0].id < slots[$1].id })
    precondition(waiting.allSatisfy { unsafe slot(of: slots[$0].id) == $0 })
    precondition(onOffer.enumerated().allSatisfy { find($0) == $1 && rank(of: $1) == $0 })
  }

  private func rebuildTree() {
    unsafe tree[0] = 0
    for index in 1...words { unsafe tree[index] = offered[index - 1].nonzeroBitCount }
    for index in 1...words {
      let parent = index + (index & -index)
      if parent <= words { unsafe tree[parent] += tree[index] }
    }
  }
}
