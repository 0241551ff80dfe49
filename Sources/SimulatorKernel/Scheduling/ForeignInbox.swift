internal import CConcurrencyHooks
internal import SimulatorCore
internal import Synchronization

/// The place where a thread that runs no simulation leaves a job that belongs to one.
///
/// A process has room for 255 simulations at a time. Each has a slot here, and a record word names its slot.
@safe final class ForeignInbox: @unchecked Sendable {
  // @unchecked Sendable because a job is a token that exactly one thread runs.
  private let addresses = unsafe Guarded<[UnsafeMutableRawPointer]>([])

  /// The inboxes in use, by slot; slot 0 stays empty.
  private static let slots = Guarded<[ForeignInbox?]>(Array(repeating: nil, count: 256))
  /// The number of executions that the simulations of each slot have had. The next simulation counts on from there, so
  /// what an earlier one has left behind is never taken for its own.
  private static let executions = Guarded<[UInt16]>(Array(repeating: 0, count: 256))
  /// The number of the last execution. Only the simulation's thread uses it.
  private var execution: UInt16
  private let tag = Atomic<UInt64>(0)
  /// The number of tasks of other threads that were kept away from the actors of this simulation.
  private let visits = Atomic<Int>(0)
  /// The thread that left the first job of this execution, if it can be named.
  private let firstBringer = Guarded<ThreadBeside?>(nil)
  let slot: UInt8

  private init(slot: UInt8) {
    self.slot = slot
    execution = Self.executions.withLock { $0[Int(slot)] }
  }

  /// Returns an inbox that has a slot of its own until `close`. Traps if 255 simulations run already.
  static func open() -> ForeignInbox {
    slots.withLock { inboxes in
      guard let free = inboxes.dropFirst().firstIndex(where: { $0 == nil }) else {
        // The word that the runtime keeps for a task has 8 bits for its simulation.
        fatalError("more than 255 simulations at once in one process; let some end first")
      }
      let inbox = ForeignInbox(slot: UInt8(free))
      inboxes[free] = inbox
      return inbox
    }
  }

  /// Returns the number of the execution that begins. It differs from the numbers of the executions before it in this
  /// slot.
  func nextExecution() -> UInt16 {
    execution &+= 1
    return execution
  }

  /// Gives the slot back. Closing it again has no effect.
  func close() {
    Self.slots.withLock { inboxes in
      guard inboxes[Int(slot)] === self else { return }
      Self.executions.withLock { $0[Int(slot)] = execution }
      inboxes[Int(slot)] = nil
    }
  }

  /// Accepts only jobs of the execution with this tag from now on.
  func accept(tag: UInt64) {
    visits.store(0, ordering: .relaxed)
    firstBringer.withLock { $0 = nil }
    self.tag.store(tag, ordering: .releasing)
  }

  /// Notes that a task of another thread has come to an actor that was made in the execution with this tag. Returns
  /// false if that execution is over.
  static func visit(tag: UInt64) -> Bool {
    guard let inbox = slots.withLock({ $0[Int(ch_slot_of(tag))] }),
      inbox.tag.load(ordering: .acquiring) == tag
    else { return false }
    inbox.visits.add(1, ordering: .releasing)
    return true
  }

  /// The number of such tasks since the execution began.
  var foreignTasks: Int { visits.load(ordering: .acquiring) }

  /// Leaves a job for the simulation that its record names. A job of an execution that has ended is dropped: its task
  /// was cancelled and abandoned.
  static func deliver(record: UInt64, job: UnsafeMutableRawPointer) {
    let inbox = slots.withLock { $0[Int(ch_slot_of(record))] }
    guard let inbox, inbox.tag.load(ordering: .acquiring) == ch_tag_of(record) else { return }
    inbox.firstBringer.withLock { $0 = $0 ?? ThreadBeside() }
    unsafe inbox.addresses.withLock { unsafe $0.append(job) }
  }

  /// The thread that left the first job of this execution; nil if there was none, or if it cannot be named.
  var bringer: ThreadBeside? { firstBringer.withLock(\.self) }

  /// Removes and returns the jobs that have been left, after waiting at most `nanoseconds` for one.
  func take(waiting nanoseconds: Int64) -> [UnsafeMutableRawPointer] {
    let end = ch_real_nanoseconds() + nanoseconds
    while true {
      let taken = unsafe addresses.withLock { unsafe takeAll(&$0) }
      if unsafe !taken.isEmpty || ch_real_nanoseconds() >= end { return unsafe taken }
      ch_pause()
    }
  }

  private func takeAll(_ addresses: inout [UnsafeMutableRawPointer]) -> [UnsafeMutableRawPointer] {
    defer { unsafe addresses.removeAll() }
    return unsafe addresses
  }
}

// MARK: - What the C target calls

@c @implementation
func simulator_foreign_enqueue(_ record: UInt64, _ job: UnsafeMutableRawPointer) {
  unsafe ForeignInbox.deliver(record: record, job: job)
}

@c @implementation
func simulator_visited(_ tag: UInt64) -> Bool { ForeignInbox.visit(tag: tag) }
