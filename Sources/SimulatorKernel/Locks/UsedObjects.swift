internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The locks, conditions, semaphores and atomics that the steps of an execution use, by their addresses.
///
/// An object whose creation was seen is named after the task that made it, and has the same name in every execution. Any other,
/// such as a `Mutex` or an atomic, is numbered by its first use: the same number may mean different objects in two executions.
struct UsedObjects {
  private var names: [UInt: Strategies.SharedObject] = [:]
  private var countsByMaker: [UInt64: UInt64] = [:]
  private var unnamed: UInt64 = 0

  /// Notes that the task with this path has made the object at `address`.
  mutating func made(_ address: UInt, by maker: UInt64) {
    countsByMaker[maker, default: 0] += 1
    names[address] = .lock(Digest.mix(maker, countsByMaker[maker, default: 0]))
  }

  /// Notes that the object at this address is gone.
  mutating func unmade(_ address: UInt) {
    if !names.isEmpty { names[address] = nil }
  }

  mutating func name(of address: UInt) -> Strategies.SharedObject {
    if let known = names[address] { return known }
    unnamed += 1
    names[address] = .word(unnamed)
    return .word(unnamed)
  }

  /// True if nothing is known. The counts of objects by maker still matter when all objects are gone.
  var isEmpty: Bool { names.isEmpty && countsByMaker.isEmpty }

  mutating func removeAll() {
    guard !isEmpty else { return }
    names.removeAll(keepingCapacity: true)
    countsByMaker.removeAll(keepingCapacity: true)
    unnamed = 0
  }
}
