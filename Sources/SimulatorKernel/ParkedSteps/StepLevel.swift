/// The kind of steps that an execution has. These are types and not values, so that the loop of atomic steps checks nothing.
///
/// With atomic steps, the hooks note which task uses which lock or atomic (`Sharing.c`), and `Search` starts again with
/// preemptible steps as soon as two tasks use the same one. A `Mutex` that nobody waits for calls nothing in an optimized build,
/// except to ask for the number of its thread, which each file of the program keeps. So ``WatchedSteps`` clears these numbers
/// before a step and looks at them after it.
protocol StepLevel {
  static var overlaps: Bool { get }
  /// True if the loop finds out which steps use a `Mutex`.
  static var watchesMutexes: Bool { get }
}

enum WholeSteps: StepLevel {
  @inline(__always) static var overlaps: Bool { false }
  @inline(__always) static var watchesMutexes: Bool { false }
}

enum WatchedSteps: StepLevel {
  @inline(__always) static var overlaps: Bool { false }
  @inline(__always) static var watchesMutexes: Bool { true }
}

enum Overlapping: StepLevel {
  @inline(__always) static var overlaps: Bool { true }
  @inline(__always) static var watchesMutexes: Bool { false }
}
