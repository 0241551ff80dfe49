/// The search strategies, and the values that they receive. `import SimulatorStrategies` shows all of them.
public enum Strategies {
  /// The kind of an access to an object. Two accesses to one object commute if they are equal and not `exclusive`.
  public enum Access: UInt8, Hashable, Sendable {
    case exclusive, added, read
    /// An access as one of several, all of which the next reader has had to wait for.
    case joined
    /// An access by a step that cannot have come before what it has found, whatever it does after that.
    case awaited
    /// An access by a step that has found nothing yet and has only looked. It counts as part of its task's next step.
    case waits
  }
}
