internal import CConcurrencyHooks

/// The serial executors of the program's that an execution has met.
///
/// Each is a domain that keeps the order of a queue. Two that keep their order with one object, as a queue that both send
/// to, are one queue in reality, and so are one that sends to the main queue and the main actor: which of the orders that
/// the simulator tries they would allow, it does not know.
final class UserExecutors: ExecutionTable {
  private struct Met {
    let domain: Int32
    /// The objects that it keeps its order with.
    let objects: Set<UInt>
    /// Whether it says itself with which others it shares its order.
    let isComplex: Bool
  }

  private var met: [Met] = []
  var isFresh: Bool { met.isEmpty }

  func removeAll() {
    if !met.isEmpty { met.removeAll(keepingCapacity: true) }
  }

  /// Whether one of them keeps its order with this object.
  func reaches(_ object: UInt) -> Bool { met.contains { $0.objects.contains(object) } }

  /// The objects with which the one met last keeps its order.
  var objectsOfLast: Set<UInt> { met.last?.objects ?? [] }

  func knows(_ domain: Int32) -> Bool { met.contains { $0.domain == domain } }

  /// Whether the order is known that an executor met for the first time keeps among others. O(executors met).
  func meets(_ domain: Int32, identity: UInt, implementation: UInt) -> Bool {
    var objects = ContiguousArray<UInt>(repeating: 0, count: 64)
    var reachesMain = false
    let count = unsafe objects.withUnsafeMutableBufferPointer { buffer in
      // Safe: the buffer has room for so many, and the executor is alive, because a job is on its way to it.
      unsafe buffer.baseAddress.map { unsafe ch_reach(identity, $0, buffer.count, &reachesMain) } ?? 0
    }
    let new = Met(
      domain: domain, objects: Set(objects.prefix(count)), isComplex: implementation & Self.complex != 0)
    defer { met.append(new) }
    return !reachesMain && !new.objects.isEmpty
      && met.allSatisfy { $0.objects.isDisjoint(with: new.objects) && !($0.isComplex && new.isComplex) }
  }

  /// A flag of an executor's second word.
  private static let complex: UInt = 1
}

extension Scheduler {
  /// A job goes to an executor of the program's.
  @inline(never)
  func meets(executor domain: Int32, _ job: UnsafeMutableRawPointer) {
    guard !tables.userExecutors.knows(domain) else { return }
    let record = domains[domain]
    let isOrderKnown = tables.userExecutors.meets(
      domain, identity: record.identity, implementation: record.implementation)
    if isOrderKnown, !tables.dispatch.hasAny(of: tables.userExecutors.objectsOfLast) { return }
    let stack = unsafe task(behind: job).map { unsafe SuspendedTask.addresses(of: $0) } ?? []
    left(by: "SerialExecutor", from: stack.map { $0 + 1 })
  }
}
