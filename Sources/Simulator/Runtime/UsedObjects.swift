/// The locks, conditions, semaphores and atomics that the steps of an execution use, by their addresses.
///
/// One whose making was seen is named for the task that made it, and has the same name in every execution. Any other, a
/// `Mutex` or an atomic among them, is numbered by its first use: of two executions, the same number may mean two objects.
struct UsedObjects {
  private var names: [UInt: Strategies.SharedObject] = [:]
  private var countsByMaker: [UInt64: UInt64] = [:]
  private var unnamed: UInt64 = 0

  /// The object at `address` has been made by the task of this path.
  mutating func made(_ address: UInt, by maker: UInt64) {
    countsByMaker[maker, default: 0] += 1
    names[address] = .lock(Digest.mix(maker, countsByMaker[maker, default: 0]))
  }

  /// What was made at this address is no more.
  mutating func unmade(_ address: UInt) {
    if !names.isEmpty { names[address] = nil }
  }

  mutating func name(of address: UInt) -> Strategies.SharedObject {
    if let known = names[address] { return known }
    unnamed += 1
    names[address] = .word(unnamed)
    return .word(unnamed)
  }

  /// Of objects that are all gone, how many a task has made counts still.
  var isEmpty: Bool { names.isEmpty && countsByMaker.isEmpty }

  mutating func removeAll() {
    guard !isEmpty else { return }
    names.removeAll(keepingCapacity: true)
    countsByMaker.removeAll(keepingCapacity: true)
    unnamed = 0
  }
}
