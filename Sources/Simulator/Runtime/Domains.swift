/// What the scheduler knows of a domain.
struct DomainRecord {
  let identity: UInt
  let implementation: UInt
  /// The type's metadata, read while the actor was alive.
  let type: UInt
  /// Which instance of its type, from 1.
  let ordinal: Int
  let keepsPriorities: Bool
  var mailbox = Mailbox()
  /// The task whose work keeps the domain closed, or -1.
  var holder: Int32 = -1
  /// What arrived, or was on offer, while the domain was closed.
  var held: [Candidate.ID] = []
  var isClosed: Bool { holder >= 0 }
}

/// The domains of one execution, numbered by first appearance. 0 is the pool, 1 the main actor.
///
/// Found by address through an open-addressing table; an address that a new actor takes over is forgotten when
/// that actor is initialised, so no two actors share a number.
final class Domains {
  static let pool: Int32 = 0
  static let main: Int32 = 1

  var records: ContiguousArray<DomainRecord> = []
  private var table: ContiguousArray<(identity: UInt, domain: Int32)>
  private var used = 0
  private let mainIdentity: UInt

  init(mainIdentity: UInt) {
    self.mainIdentity = mainIdentity
    table = ContiguousArray(repeating: (0, -1), count: 64)
    reset()
  }

  func reset() {
    closed = 0
    records.removeAll(keepingCapacity: true)
    records.append(DomainRecord(identity: 0, implementation: 0, type: 0, ordinal: 0, keepsPriorities: false))
    records.append(
      DomainRecord(identity: mainIdentity, implementation: 0, type: 0, ordinal: 0, keepsPriorities: false))
    if used > 0 {
      for index in table.indices { table[index] = (0, -1) }
      used = 0
    }
  }

  /// The number of the domain that `identity` serialises; O(1) expected.
  @inline(__always)
  func index(of identity: UInt, implementation: UInt) -> Int32 {
    if identity == 0 { return Self.pool }
    if identity == mainIdentity { return Self.main }
    let mask = table.count - 1
    var slot = Self.hash(identity) & mask
    while table[slot].domain >= 0 {
      if table[slot].identity == identity { return table[slot].domain }
      slot = (slot + 1) & mask
    }
    return add(identity, implementation)
  }

  /// An actor has come to life at this address; whoever had it before is gone.
  func forget(_ identity: UInt) {
    let mask = table.count - 1
    var slot = Self.hash(identity) & mask
    while table[slot].domain >= 0 {
      if table[slot].identity == identity {
        // The entry stays as a tombstone that no address equals, so that probing goes on past it.
        table[slot].identity = 1
        return
      }
      slot = (slot + 1) & mask
    }
  }

  /// How many domains are closed by work that takes time.
  private(set) var closed = 0

  /// Work of `task` closes `domain`.
  func close(_ domain: Int32, holder task: Int32) {
    records[Int(domain)].holder = task
    closed += 1
  }

  /// Remembers an arrival that must wait until `domain` opens.
  func hold(_ id: Candidate.ID, on domain: Int32) { records[Int(domain)].held.append(id) }

  /// The work is done; answers who waited.
  func reopen(_ domain: Int32) -> [Candidate.ID] {
    closed -= 1
    records[Int(domain)].holder = -1
    let held = records[Int(domain)].held
    records[Int(domain)].held = []
    return held
  }

  func update(_ domain: Int32, _ change: (inout DomainRecord) -> Void) { change(&records[Int(domain)]) }

  private static func hash(_ identity: UInt) -> Int {
    Int(truncatingIfNeeded: (identity >> 4) &* 0x9E37_79B9_7F4A_7C15 >> 20)
  }

  @inline(never)
  private func add(_ identity: UInt, _ implementation: UInt) -> Int32 {
    if (used + 1) * 2 > table.count { grow() }
    // Safe: the identity of an executor is a live object while a job is on its way to it.
    let type = unsafe UnsafePointer<UInt>(bitPattern: identity).map { unsafe $0.pointee } ?? 0
    let ordinal = records.reduce(1) { $1.type == type ? $0 + 1 : $0 }
    let index = Int32(records.count)
    records.append(
      DomainRecord(
        identity: identity, implementation: implementation, type: type, ordinal: ordinal,
        keepsPriorities: implementation == 0))
    insert(identity, index)
    return index
  }

  private func insert(_ identity: UInt, _ domain: Int32) {
    let mask = table.count - 1
    var slot = Self.hash(identity) & mask
    while table[slot].domain >= 0 { slot = (slot + 1) & mask }
    table[slot] = (identity, domain)
    used += 1
  }

  private func grow() {
    let old = table
    table = ContiguousArray(repeating: (0, -1), count: old.count * 2)
    used = 0
    for entry in old where entry.domain >= 0 && entry.identity != 1 { insert(entry.identity, entry.domain) }
  }
}

extension DomainRecord {
  /// The actor's type and instance, for a trace.
  func described(as index: Int) -> Trace.Domain {
    switch Int32(index) {
    case Domains.pool: return Trace.Domain(type: "pool", ordinal: 0)
    case Domains.main: return Trace.Domain(type: "MainActor", ordinal: 0)
    default:
      // Safe: the first word of a native Swift object is its type's metadata, which is never freed.
      let name = unsafe type == 0 ? "?" : _typeName(unsafeBitCast(type, to: Any.Type.self), qualified: false)
      return Trace.Domain(type: name, ordinal: ordinal)
    }
  }
}
