/// The kind of steps that an execution has. These are types and not values, so that the loop of atomic steps checks nothing.
///
/// With atomic steps, the hooks note which task uses which lock or atomic (`Sharing.c`), and `Search` starts again with
/// preemptible steps as soon as two tasks use the same one.
protocol StepLevel {
  static var overlaps: Bool { get }
}

enum WholeSteps: StepLevel {
  @inline(__always) static var overlaps: Bool { false }
}

enum Overlapping: StepLevel {
  @inline(__always) static var overlaps: Bool { true }
}
