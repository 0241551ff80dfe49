internal import CConcurrencyHooks
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The streams of an execution, by the addresses of their locks.
///
/// A stream is named after the task that made it, so that it has the same name in every execution. Its memory is kept
/// until the execution has ended, so that no other stream gets its address.
struct Streams {
  private struct Stream {
    let storage: UInt
    let size: Int
    let name: UInt64

    func holds(_ address: UInt) -> Bool { address >= storage && address - storage < size }
  }

  /// The name of a stream whose creation was not seen: one of an `unfolding` function, or one older than the execution.
  private static let unknown: UInt64 = 0

  private var made: [Stream] = []
  private var countsByMaker: [UInt64: UInt64] = [:]
  private var namesByLock: [UInt: UInt64] = [:]

  mutating func add(_ storage: UInt, size: Int, maker: UInt64) {
    guard let object = unsafe UnsafeMutableRawPointer(bitPattern: storage) else { return }
    // Safe: its maker has just made the storage and holds it.
    unsafe _ = swift_unownedRetain(object)
    countsByMaker[maker, default: 0] += 1
    let stream = Stream(
      storage: storage, size: size, name: Digest.mix(maker, countsByMaker[maker, default: 0]))
    made.append(stream)
    for (lock, _) in namesByLock where stream.holds(lock) { namesByLock[lock] = nil }
  }

  /// Returns the name of the stream with this lock. O(1), but O(streams made) for its first use.
  mutating func name(ofLock lock: UInt) -> UInt64 {
    if let known = namesByLock[lock] { return known }
    let name = made.last { $0.holds(lock) }?.name ?? Self.unknown
    namesByLock[lock] = name
    return name
  }

  var isEmpty: Bool { made.isEmpty && namesByLock.isEmpty }

  mutating func removeAll() {
    guard !made.isEmpty || !namesByLock.isEmpty else { return }
    for stream in made {
      // Safe: `add` has kept the memory for us.
      if let object = unsafe UnsafeMutableRawPointer(bitPattern: stream.storage) {
        unsafe swift_unownedRelease(object)
      }
    }
    made.removeAll(keepingCapacity: true)
    countsByMaker.removeAll(keepingCapacity: true)
    namesByLock.removeAll(keepingCapacity: true)
  }
}

extension Scheduler {
  func streamMade(_ storage: UInt, size: Int) {
    let maker = currentTask
    tables.dependencies.streams.add(storage, size: size, maker: maker >= 0 ? tasks[maker].path : Digest.seed)
  }

  /// Notes that the running step takes the lock of a stream.
  func streamReached(_ lock: UInt) {
    chooser.accessed(.stream(tables.dependencies.streams.name(ofLock: lock)), .exclusive)
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_stream_made(_ scheduler: UnsafeMutableRawPointer, _ storage: UInt, _ size: Int) {
  unsafe Scheduler.with(scheduler) { $0.streamMade(storage, size: size) }
}

@c @implementation
func simulator_stream_reached(_ scheduler: UnsafeMutableRawPointer, _ lock: UInt) {
  unsafe Scheduler.with(scheduler) { $0.streamReached(lock) }
}
