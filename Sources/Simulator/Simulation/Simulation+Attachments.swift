extension Simulation {
  /// Keeps `object` for the rest of the execution, to be found by its name.
  package func attach(_ object: any Sendable, named name: String) {
    checked.recorder.attach(object, named: name)
  }

  /// What has been attached by this name.
  package func attached(_ name: String) -> (any Sendable)? { checked.recorder.attached(name) }
}
