extension Simulation {
  /// Keeps `object` for the rest of the execution, under a name by which it can be found.
  package func attach(_ object: any Sendable, named name: String) {
    checked.recorder.attach(object, named: name)
  }

  /// Returns the object that has been attached under this name.
  package func attached(_ name: String) -> (any Sendable)? { checked.recorder.attached(name) }
}
