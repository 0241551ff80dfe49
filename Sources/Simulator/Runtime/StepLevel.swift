/// Whether steps may be left in their middle. Types and not a value, so that the loop of whole steps asks nothing.
protocol StepLevel {
  static var overlaps: Bool { get }
  /// Whether it is to be found out which steps use a `Mutex`.
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
