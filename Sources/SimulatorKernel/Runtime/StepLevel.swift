/// The kind of steps that an execution has. These are types and not values, so that the loop of atomic steps checks nothing.
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
