extension Strategies {
  /// Something that steps of different domains can have in common.
  public enum SharedObject: Hashable, Sendable {
    /// Whether a task is cancelled, by the hash of its path.
    case task(UInt64)
    /// Whether a task is resumed before it is suspended, by the hash of its path.
    case wake(UInt64)
    /// The result of a task.
    case result(UInt64)
    /// The children of a task in its groups, as far as they have finished.
    case group(UInt64)
    /// Who came first to a domain, by its name.
    case mailbox(UInt64)
    /// A fake, by the hash of its name.
    case fake(UInt64)
    /// The buffer of an `AsyncStream` or `AsyncThrowingStream`, by its maker.
    case stream(UInt64)
    /// A lock, condition or semaphore whose making was seen, by its maker.
    case lock(UInt64)
    /// Any other, or an atomic, by a number that means it within one execution only.
    case word(UInt64)
    /// What the program has declared by ``Simulation/access(_:_:)``, by the hash of its name.
    case declared(UInt64)
    /// The deadlines that are pending, of which a range decided at once offers some.
    case timers
    /// What a clock shows: how long ranges of time have taken until then makes a difference.
    case clock
    /// The generator behind everything random.
    case randomness
    /// What the invariants look at.
    case watched
    /// Anything at all.
    case everything

    /// How an object was accessed. Two accesses to one object commute if they are equal and not `exclusive`.
    public enum Access: UInt8, Hashable, Sendable {
      case exclusive, added, read
      /// As one of several, for all of which the next reader has had to wait.
      case joined
      /// By a step that cannot have come before what it has found, whatever it does behind that.
      case awaited
      /// By a step that has found nothing yet and has done nothing but look: it counts as part of its task's next step.
      case waits
    }
  }
}

extension Strategies.SharedObject {
  /// In the last byte of the keys of all words. Their bit is that of any of them.
  static let wordMark: UInt64 = 14

  var lasts: Bool {
    if case .word = self { false } else { true }
  }

  /// One word for the object; different objects have different words for all practical purposes.
  var key: UInt64 {
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
    case .timers: 6
    case .randomness: 7
    case .watched: 8
    case .everything: 9
    case .clock: 12
    }
  }
}
