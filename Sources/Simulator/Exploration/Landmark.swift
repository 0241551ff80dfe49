/// What a deviation did, told by who was involved instead of by its position, which shifts when an earlier
/// deviation goes.
enum Landmark: Hashable, Sendable {
  /// A task's n-th arrival somewhere; the task by its path's hash.
  struct Arrived: Hashable, Sendable {
    let task: UInt64
    let nth: Int
  }

  /// What would have come by nature.
  enum Natural: Hashable, Sendable {
    case step(Arrived)
    /// Time would have passed, after this step.
    case time(after: Arrived?)
  }

  /// One step ran before another that had come earlier.
  case order(Arrived, before: Natural)
  /// An anytime action came first, the n-th that was ever on offer.
  case action(Int, before: Natural)
  /// A timer, by the task that waits for it.
  struct Timer: Hashable, Sendable {
    let task: UInt64
    /// Of those of the task whose earliest end has come.
    let nth: Int
  }

  /// What was done about a timer whose end is a range.
  enum TimerChange: Hashable, Sendable {
    /// It did not fire at its earliest end.
    case putOff
    /// It fired before its latest end: when time stood there, or together with what was due there.
    case fires(at: VirtualInstant, isTogether: Bool)
  }

  /// A timer fired at another moment.
  case timer(Timer, TimerChange)
  /// The n-th value decided in the steps of a task was another.
  case value(Schedule.Choice.Kind, task: UInt64, nth: Int, taken: Int)

  /// Whether one of `others` is the same but for where it came: the same action, a step of the same task, the
  /// same value.
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
  /// How many steps had run.
  let step: Int
  let kind: Schedule.Choice.Kind
  let landmark: Landmark
}
