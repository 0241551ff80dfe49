internal import SimulatorStrategyInterface

/// One object that a step accessed.
struct Dependency: Sendable {
  /// The name of the object.
  let object: UInt64
  let access: Strategies.Access
  /// True if the object has this name in every execution.
  var lasts = true

  /// One bit of a word, which nearly always differs between objects.
  var bit: UInt64 { 1 << (object & 63) }

  /// Returns true if the order of the two accesses can make a difference.
  func conflicts(with other: Dependency) -> Bool {
    object == other.object && (access == .exclusive || access != other.access)
      && !(access.onlyLooks && other.access.onlyLooks)
  }

  /// Returns true if the order can make a difference, for two accesses of different executions.
  func mayConflict(with other: Dependency) -> Bool {
    lasts || other.lasts
      ? conflicts(with: other)
      : Dependency(object: 0, access: access).conflicts(with: Dependency(object: 0, access: other.access))
  }
}

/// The accesses of a step: its domain and everything else that it had in common with other steps.
struct Footprint: Sendable {
  /// The name of its domain; 0 for the pool, which orders nothing.
  let place: UInt64
  /// True if the step has something in common with every other step.
  private(set) var isBarrier: Bool
  private(set) var dependencies: ContiguousArray<Dependency>
  /// The bits of all dependencies.
  private(set) var bits: UInt64

  init(place: UInt64, isBarrier: Bool, dependencies: ContiguousArray<Dependency>, bits: UInt64) {
    self.place = place
    self.isBarrier = isBarrier
    self.dependencies = dependencies
    self.bits = bits
  }

  /// Adds the accesses of the same step under other choices.
  mutating func formUnion(_ other: Footprint) {
    isBarrier = isBarrier || other.isBarrier
    dependencies += other.dependencies
    bits |= other.bits
  }
}

extension Strategies.Access {
  fileprivate var onlyLooks: Bool { self == .read || self == .awaited }
}
