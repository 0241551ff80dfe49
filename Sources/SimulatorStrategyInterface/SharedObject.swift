public import SimulatorCore

extension Strategies {
  /// Something that steps of different domains can have in common.
  public enum SharedObject: Hashable, Sendable {
    /// The cancellation state of a task, by the hash of its path.
    case task(UInt64)
    /// The order of a task's resumption and its suspension, by the hash of its path.
    case wake(UInt64)
    /// The result of a task.
    case result(UInt64)
    /// The priority of a task, which another raises by waiting for it. Not in an execution whose tasks have one priority.
    case priority(UInt64)
    /// The finished children of a task in its groups.
    case group(UInt64)
    /// The order of arrival at a domain, by its name.
    case mailbox(UInt64)
    /// A fake, by the hash of its name.
    case fake(UInt64)
    /// The buffer of an `AsyncStream` or `AsyncThrowingStream`, by its maker.
    case stream(UInt64)
    /// A lock, condition, or semaphore whose creation was observed, by its maker.
    case lock(UInt64)
    /// Any other lock, condition, or semaphore, or an atomic, by a number that is valid only within one execution.
    case word(UInt64)
    /// An object that the program has declared by `Simulation.declareAccess(to:_:)`, by the hash of its name.
    case declared(UInt64)
    /// The pending deadlines, some of which are options when a duration is chosen immediately from a range.
    case timers
    /// The reading of a clock, which depends on how long ranges of time have taken so far.
    case clock
    /// The generator behind everything random.
    case randomness
    /// The state that the invariants look at.
    case watched
    /// The threads of the global executor: a step takes one when it begins, and keeps it while it is blocked.
    case threads
    /// All threads of a priority: so many tasks have blocked one that they could keep all of them at once.
    case allThreads
    /// Anything at all.
    case everything
  }
}

extension Strategies.SharedObject {
  /// The last byte of the keys of all words. It gives all words the same bit in a footprint.
  static let wordMark: UInt64 = 14

  package var lasts: Bool {
    if case .word = self { false } else { true }
  }

  /// One word for the object. For all practical purposes, different objects have different words.
  package var key: UInt64 {
    switch self {
    case .task(let path): Digest.mix(1, path)
    case .result(let path): Digest.mix(2, path)
    case .group(let path): Digest.mix(3, path)
    case .mailbox(let place): Digest.mix(4, place)
    case .fake(let name): Digest.mix(5, name)
    case .stream(let name): Digest.mix(10, name)
    case .declared(let name): Digest.mix(11, name)
    case .lock(let name): Digest.mix(13, name)
    case .word(let number): number << 8 | Self.wordMark
    case .wake(let path): Digest.mix(15, path)
    case .priority(let path): Digest.mix(18, path)
    case .timers: 6
    case .randomness: 7
    case .watched: 8
    case .everything: 9
    case .clock: 12
    case .threads: 16
    case .allThreads: 17
    }
  }
}
