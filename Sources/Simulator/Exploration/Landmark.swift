internal import SimulatorCore

/// The effect of a deviation, identified by the tasks involved instead of by its position, which shifts when an earlier
/// deviation is removed.
enum Landmark: Hashable, Sendable {
  /// The n-th arrival of a task somewhere; the hash of its path identifies the task.
  struct Arrived: Hashable, Sendable {
    let task: UInt64
    let nth: Int
  }

  /// The thing that would have come in the natural order.
  enum Natural: Hashable, Sendable {
    case step(Arrived)
    /// Time would have passed, after this step.
    case time(after: Arrived?)
  }

  /// One step ran before another that had arrived earlier.
  case order(Arrived, before: Natural)
  /// An anytime action came first: the n-th that was ever on offer.
  case action(Int, before: Natural)
  /// A timer, identified by the task that waits for it.
  package struct Timer: Hashable, Sendable {
    let task: UInt64
    /// Its number among the timers of the task whose earliest end has come.
    let nth: Int
  }

  /// The change to a timer whose end is a range.
  enum TimerChange: Hashable, Sendable {
    /// It did not fire at its earliest end.
    case putOff
    /// It fired before its latest end: at the instant that time had reached, or together with what was due at the next.
    case fires(at: VirtualInstant, isTogether: Bool)
  }

  /// A timer fired at a different moment.
  case timer(Timer, TimerChange)
  /// The n-th value decided in the steps of a task was different.
  case value(Schedule.Choice.Kind, task: UInt64, nth: Int, taken: Int)

  /// Returns true if one of `others` is the same except for where it came: the same action, a step of the same task, or
  /// the same value.
  func isLike(anyOf others: [Landmark]) -> Bool {
    others.contains { other in
      switch (self, other) {
      case (.order(let mine, _), .order(let theirs, _)): mine.task == theirs.task
      case (.action(let mine, _), .action(let theirs, _)): mine == theirs
      case (.timer(let mine, .fires), .timer(let theirs, .fires)): mine == theirs
      default: self == other
      }
    }
  }
}

/// A deviation where it was met: its place on the tape, the step before it, and what it did.
struct MetDeviation: Hashable, Sendable {
  let deviation: Schedule.Deviation
  /// The number of steps that had run.
  let step: Int
  let kind: Schedule.Choice.Kind
  let landmark: Landmark
}
