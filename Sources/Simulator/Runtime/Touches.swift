internal import CConcurrencyHooks

/// What a strategy is told about what steps have in common, where it asks to be told. Nothing here is on the path of
/// one that does not.
@safe final class Touches {
  /// The tasks that are part of another, which are cancelled with it; also those that have ended. Few cancel, and every
  /// child is put here: so it is a list, and a cancel looks through it.
  fileprivate var children: ContiguousArray<(parent: Int32, child: Int32)> = []
  /// Those of them that are in a group.
  fileprivate var groupChildren: [Int32: [Int32]] = [:]
  fileprivate var hasGroups = false
  fileprivate var randomReads: UInt64 = 0
  fileprivate var priority: UInt8?
  fileprivate var severalPriorities = false
  fileprivate var streams = Streams()

  deinit { streams.removeAll() }

  func reset() {
    if !children.isEmpty { children.removeAll(keepingCapacity: true) }
    if hasGroups {
      groupChildren.removeAll(keepingCapacity: true)
      hasGroups = false
    }
    priority = nil
    severalPriorities = false
    streams.removeAll()
  }
}

/// The streams of an execution, by the addresses of their locks.
///
/// A stream is named for the task that made it, so that it has the same name in every execution. Its memory is kept
/// until the execution has ended: no other is found at its address.
private struct Streams {
  private struct Stream {
    let storage: UInt
    let size: Int
    let name: UInt64

    func holds(_ address: UInt) -> Bool { address >= storage && address - storage < size }
  }

  /// The name of those whose making was not seen: one of an `unfolding` function, or older than the execution.
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

  /// The name of the stream with this lock. O(1), but for its first use O(streams made).
  mutating func name(ofLock lock: UInt) -> UInt64 {
    if let known = namesByLock[lock] { return known }
    let name = made.last { $0.holds(lock) }?.name ?? Self.unknown
    namesByLock[lock] = name
    return name
  }

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
  func stepBegins(_ arrival: Arrival) {
    unsafe touches.randomReads = hooks.pointee.random_reads
    // A drain runs whoever else has come to the mailbox meanwhile, unseen.
    if unsafe arrival.task < 0 || ch_job_kind(arrival.job) == CH_KIND_DRAIN {
      chooser.accessed(.everything, .exclusive)
    } else if touches.hasGroups, touches.groupChildren[arrival.task] != nil {
      chooser.accessed(.group(tasks[arrival.task].path), .read)
    }
    guard arrival.domain != Domains.pool else { return }
    if witness.isWatching { chooser.accessed(.watched, .exclusive) }
    // Only among several priorities does it count who had landed when a domain became free.
    if touches.severalPriorities { chooser.accessed(.mailbox(domains[arrival.domain].place), .read) }
  }

  /// What the step has done that no hook tells: a group cancels its children when it is told to, when its body throws
  /// and when one of a discarding group throws.
  ///
  /// Of a child that has ended there is nothing to see, and need not be: its end and the steps of the task that has the
  /// group race, and where the end comes later the cancel is seen.
  func stepEnds() {
    if unsafe hooks.pointee.random_reads != touches.randomReads { chooser.accessed(.randomness, .exclusive) }
    guard touches.hasGroups else { return }
    for task in 0..<Int32(tasks.count) where tasks.takeCancel(task) { cancels(task) }
  }

  func begins(_ task: UnsafeMutableRawPointer, _ index: Int32, by parent: Int32) {
    guard parent >= 0, unsafe ch_is_child(task) else { return }
    touches.children.append((parent, index))
    guard unsafe ch_is_group_child(task) else { return }
    touches.groupChildren[parent, default: []].append(index)
    touches.hasGroups = true
  }

  /// The running step has asked for the result of `task`.
  func consulted(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    if index >= 0 { chooser.accessed(.result(tasks[index].path), .read) }
  }

  func arrives(_ task: Int32, on domain: Int32) {
    guard domain != Domains.pool else { return }
    chooser.accessed(.mailbox(domains[domain].place), .added)
    guard task >= 0, domains[domain].keepsPriorities else { return }
    let priority = unsafe ch_job_priority(tasks[task].address)
    if let known = touches.priority, known != priority { touches.severalPriorities = true }
    touches.priority = priority
  }

  func lands(on domain: Int32) { chooser.accessed(.mailbox(domains[domain].place), .exclusive) }
}

// MARK: - Cancellation

// A cancel is told whether or not it changes anything: it would have, had it come before another or before the end of
// the task.

extension Scheduler {
  /// The running step cancels `task`.
  func cancels(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    guard index >= 0 else { return }
    cancels(index)
    let parent = tasks[index].parent
    // Where its group is cancelled later, that is not seen any more.
    if parent >= 0, touches.groupChildren[parent]?.contains(index) == true {
      chooser.accessed(.group(tasks[parent].path), .exclusive)
    }
  }

  private func cancels(_ task: Int32) {
    chooser.accessed(.task(tasks[task].path), .exclusive)
    for (parent, child) in touches.children where parent == task { cancels(child) }
  }

  /// The running step asks whether `task`, which is another, has been cancelled.
  func asksWhetherCancelled(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    if index >= 0 { chooser.accessed(.task(tasks[index].path), .read) }
  }
}

// MARK: - Streams

extension Scheduler {
  func streamMade(_ storage: UInt, size: Int) {
    let maker = currentTask
    touches.streams.add(storage, size: size, maker: maker >= 0 ? tasks[maker].path : Digest.seed)
  }

  /// The running step takes the lock of a stream.
  func streamReached(_ lock: UInt) {
    chooser.accessed(.stream(touches.streams.name(ofLock: lock)), .exclusive)
  }
}
