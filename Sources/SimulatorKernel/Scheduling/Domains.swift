internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The scheduler's record of a domain.
struct DomainRecord {
  let identity: UInt
  let implementation: UInt
  /// The type's metadata, read while the actor was alive.
  let type: UInt
  /// The task whose work keeps the domain closed, or -1.
  var holder: Int32 = -1
  /// The index of its mailbox, or -1 as long as no order had to be kept on it.
  var mailbox: Int32 = -1
  /// A name that is the same in every execution: it says who made the actor, and as which of several.
  var place: UInt64 = 0
  /// A hash of its steps.
  var behavior: UInt64 = 0
  /// The hop that its last step ended with, if it may still be in flight. It is enqueued when the next step begins.
  var inFlight = noneInFlight
  /// The moment at which its last step ended. Kept if steps are preemptible.
  var lastEnd: Strategies.Candidate.ID = 0
  static let noneInFlight = Strategies.Candidate.ID.max
  var keepsPriorities: Bool { implementation == 0 }
  /// The implementation of a domain whose identity is a serial Dispatch queue or a thread.
  static let queue = UInt.max
  var isQueue: Bool { implementation == Self.queue }
}

/// The domains of one execution, numbered by first appearance. 0 is the pool, 1 the main actor.
///
/// A domain is found by its address in an open-addressing table, which an actor enters when it is initialized. A new
/// actor that takes over an address has it for its own from then on, so no two actors share a number.
///
/// Uses unsafe buffers for the reason given in ``RunQueue``. They are safe because a domain's number is below `count`,
/// and probing ends because the table is at most half full.
@safe final class Domains: ExecutionTable {
  static let pool: Int32 = 0
  static let main: Int32 = 1

  private struct Entry {
    var identity: UInt
    var place: UInt64
    /// The number of the domain, or -1 as long as nothing has come to it.
    var domain: Int32
    /// The execution that wrote the entry. Any other execution finds the slot free.
    var generation: UInt32
  }

  private var records: UnsafeMutablePointer<DomainRecord>
  private var capacity = 16
  private(set) var count = 2
  private var table: UnsafeMutablePointer<Entry>
  private var size = 64
  private var used = 0
  private var generation: UInt32 = 1
  private let mainIdentity: UInt
  private var typeNames: [UInt: UInt64] = [:]
  private var mailboxes: [Mailbox] = []
  private var hasMailboxes = false
  private var held: [Int32: [Strategies.Candidate.ID]] = [:]
  /// The number of domains that are closed, by work that takes time or by parked steps.
  private(set) var closed = 0
  /// The labels of the domains that are queues or threads.
  private(set) var labels: [Int32: (text: String, kind: Trace.Domain.Kind)] = [:]

  init(mainIdentity: UInt) {
    self.mainIdentity = mainIdentity
    unsafe records = .allocate(capacity: 16)
    unsafe table = .allocate(capacity: 64)
    unsafe table.initialize(repeating: Entry(identity: 0, place: 0, domain: 0, generation: 0), count: 64)
    removeAll()
  }

  deinit {
    unsafe records.deallocate()
    unsafe table.deallocate()
  }

  var isFresh: Bool { count == 2 && used == 0 && mailboxes.isEmpty && closed == 0 && held.isEmpty }

  func removeAll() {
    unsafe records[0] = DomainRecord(identity: 0, implementation: 0, type: 0)
    unsafe records[1] = DomainRecord(identity: mainIdentity, implementation: 1, type: 0, place: 1)
    count = 2
    used = 0
    generation &+= 1
    if hasMailboxes { mailboxes.removeAll() }
    hasMailboxes = false
    if !labels.isEmpty { labels.removeAll(keepingCapacity: true) }
    if closed > 0 {
      closed = 0
      held.removeAll()
    }
  }

  subscript(domain: Int32) -> DomainRecord {
    @inline(__always) get { unsafe records[Int(domain)] }
  }

  /// Notes that a step with this hash happens on `domain`.
  @inline(__always)
  func saw(_ step: UInt64, on domain: Int32) {
    unsafe records[Int(domain)].behavior = Digest.mix(records[Int(domain)].behavior, step)
  }

  /// The behavior of all domains but the pool, whatever the order among them. O(domains).
  var behavior: UInt64 {
    var sum: UInt64 = 0
    for domain in 1..<count where unsafe records[domain].behavior != 0 {
      unsafe sum &+= Digest.mix(records[domain].place, records[domain].behavior)
    }
    return sum
  }

  /// Returns the number of the domain that `identity` serializes; O(1) expected.
  @inline(__always)
  func index(of identity: UInt, implementation: UInt) -> Int32 {
    if identity == 0 { return Self.pool }
    if identity == mainIdentity { return Self.main }
    var slot = hash(identity)
    while unsafe table[slot].generation == generation {
      if unsafe table[slot].identity == identity {
        let domain = unsafe table[slot].domain
        return domain >= 0 ? domain : appear(slot, implementation)
      }
      slot = (slot + 1) & (size - 1)
    }
    insert(identity, place: typeName(of: identity), domain: -1)
    return index(of: identity, implementation: implementation)
  }

  /// Notes that an actor has come to life at this address. The actor that had the address before is gone.
  func began(_ identity: UInt, place: UInt64) {
    var slot = hash(identity)
    while unsafe table[slot].generation == generation {
      if unsafe table[slot].identity == identity {
        unsafe table[slot].place = place
        unsafe table[slot].domain = -1
        return
      }
      slot = (slot + 1) & (size - 1)
    }
    insert(identity, place: place, domain: -1)
  }

  /// Adds the domain of a serial Dispatch queue that has been met, or of a thread that has been made.
  func add(_ kind: Trace.Domain.Kind, at address: UInt, label: String, place: UInt64) -> Int32 {
    began(address, place: place)
    let domain = index(of: address, implementation: DomainRecord.queue)
    labels[domain] = (label, kind)
    return domain
  }

  // MARK: order

  /// Returns the mailbox of `domain`, if an order had to be kept on it.
  @inline(__always)
  func mailbox(of domain: Int32) -> Mailbox? {
    let index = unsafe records[Int(domain)].mailbox
    return index < 0 ? nil : mailboxes[Int(index)]
  }

  func makeMailbox(of domain: Int32) -> Mailbox {
    if let mailbox = mailbox(of: domain) { return mailbox }
    hasMailboxes = true
    unsafe records[Int(domain)].mailbox = Int32(mailboxes.count)
    mailboxes.append(Mailbox())
    return mailboxes[mailboxes.count - 1]
  }

  /// Notes that the last step of `domain` ended with the hop `id` to another serial domain.
  @inline(__always)
  func setInFlight(_ domain: Int32, _ id: Strategies.Candidate.ID) {
    unsafe records[Int(domain)].inFlight = id
  }

  /// Notes that a step of `domain` begins, and returns the hop that is enqueued because of that.
  @inline(__always)
  func takeInFlight(_ domain: Int32) -> Strategies.Candidate.ID? {
    let id = unsafe records[Int(domain)].inFlight
    guard id != DomainRecord.noneInFlight else { return nil }
    unsafe records[Int(domain)].inFlight = DomainRecord.noneInFlight
    return id
  }

  /// Notes that a step of `domain` ends at `moment`.
  func ended(_ domain: Int32, at moment: Strategies.Candidate.ID) {
    unsafe records[Int(domain)].lastEnd = moment
  }

  @inline(__always)
  func hasMailbox(_ domain: Int32) -> Bool { unsafe records[Int(domain)].mailbox >= 0 }

  // MARK: work that takes time

  func isClosed(_ domain: Int32) -> Bool { unsafe records[Int(domain)].holder >= 0 }

  /// Returns the domain that the work of `task` keeps closed; O(domains), called only while one is closed.
  func heldBy(_ task: Int32) -> Int32? {
    (0..<Int32(count)).first { unsafe records[Int($0)].holder == task }
  }

  /// The holder of a domain that a parked step keeps closed.
  static let parkedStep = Int32.max

  /// The domains that parked steps keep closed. O(domains).
  var closedByParked: [Int32] {
    (0..<Int32(count)).filter { unsafe records[Int($0)].holder == Self.parkedStep }
  }

  func isClosedByParked(_ domain: Int32) -> Bool { unsafe records[Int(domain)].holder == Self.parkedStep }

  /// Closes `domain` for work of `task`.
  func close(_ domain: Int32, holder task: Int32) {
    unsafe records[Int(domain)].holder = task
    closed += 1
  }

  /// Keeps an arrival that must wait until `domain` reopens.
  func hold(_ id: Strategies.Candidate.ID, on domain: Int32) { held[domain, default: []].append(id) }

  /// Reopens `domain` when the work is done, and returns the arrivals that waited.
  func reopen(_ domain: Int32) -> [Strategies.Candidate.ID] {
    closed -= 1
    unsafe records[Int(domain)].holder = -1
    return held.removeValue(forKey: domain) ?? []
  }

  // MARK: the table

  @inline(__always)
  private func hash(_ identity: UInt) -> Int {
    Int(truncatingIfNeeded: ((identity >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (size - 1)
  }

  /// Returns a name for an actor or an executor that was not seen to be initialized: that of its type, which is the
  /// same in every execution and in every process. An address is not. Those of one type then count as dependent,
  /// which costs schedules and hides nothing.
  func typeName(of identity: UInt) -> UInt64 {
    let word = typeWord(of: identity)
    if let known = typeNames[word] { return known }
    let name = Digest.mix(Digest.seed, Self.type(word).map { _typeName($0, qualified: false) } ?? "?")
    typeNames[word] = name
    return name
  }

  private func typeWord(of identity: UInt) -> UInt {
    // Safe: the identity of an executor is a live object while a job is in flight to it.
    unsafe UnsafePointer<UInt>(bitPattern: identity).map { unsafe $0.pointee } ?? 0
  }

  @inline(never)
  private func appear(_ slot: Int, _ implementation: UInt) -> Int32 {
    let identity = unsafe table[slot].identity
    if count == capacity { growRecords() }
    let index = Int32(count)
    unsafe records[count] = DomainRecord(
      identity: identity, implementation: implementation,
      type: implementation == DomainRecord.queue ? 0 : typeWord(of: identity), place: table[slot].place)
    unsafe table[slot].domain = index
    count += 1
    return index
  }

  @inline(never)
  private func insert(_ identity: UInt, place: UInt64, domain: Int32) {
    if (used + 1) * 2 > size { growTable() }
    var slot = hash(identity)
    while unsafe table[slot].generation == generation { slot = (slot + 1) & (size - 1) }
    unsafe table[slot] = Entry(identity: identity, place: place, domain: domain, generation: generation)
    used += 1
  }

  private func growTable() {
    let old = unsafe table
    let oldSize = size
    size *= 2
    used = 0
    unsafe table = .allocate(capacity: size)
    unsafe table.initialize(
      repeating: Entry(identity: 0, place: 0, domain: 0, generation: generation &- 1), count: size)
    for slot in 0..<oldSize where unsafe old[slot].generation == generation {
      unsafe insert(old[slot].identity, place: old[slot].place, domain: old[slot].domain)
    }
    unsafe old.deallocate()
  }

  private func growRecords() {
    let larger = UnsafeMutablePointer<DomainRecord>.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: records, count: count)
    unsafe records.deallocate()
    unsafe records = larger
    capacity *= 2
  }
}
