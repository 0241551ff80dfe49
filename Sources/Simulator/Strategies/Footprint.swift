/// One object that a step accessed.
struct Dependency: Sendable {
  /// The name of the object.
  let object: UInt64
  let access: Strategies.SharedObject.Access
  /// Whether the object has this name in every execution.
  var lasts = true

  /// One bit of a word, nearly always another for another object.
  var bit: UInt64 { 1 << (object & 63) }

  /// Whether the order of the two can make a difference.
  func conflicts(with other: Dependency) -> Bool {
    object == other.object && (access == .exclusive || access != other.access)
      && !(access.onlyLooks && other.access.onlyLooks)
  }

  /// The same where the two are of different executions.
  func mayConflict(with other: Dependency) -> Bool {
    lasts || other.lasts
      ? conflicts(with: other)
      : Dependency(object: 0, access: access).conflicts(with: Dependency(object: 0, access: other.access))
  }
}

/// What a step accessed: its domain and all else that it had in common with other steps.
struct Footprint: Sendable {
  /// The name of its domain; 0 for the pool, which orders nothing.
  let place: UInt64
  /// Whether it has everything in common with every other step.
  private(set) var isBarrier: Bool
  private(set) var dependencies: ContiguousArray<Dependency>
  /// The bits of all of them.
  private(set) var bits: UInt64

  init(place: UInt64, isBarrier: Bool, dependencies: ContiguousArray<Dependency>, bits: UInt64) {
    self.place = place
    self.isBarrier = isBarrier
    self.dependencies = dependencies
    self.bits = bits
  }

  /// Takes in what the same step accesses when other things happen in it.
  mutating func formUnion(_ other: Footprint) {
    isBarrier = isBarrier || other.isBarrier
    dependencies += other.dependencies
    bits |= other.bits
  }
}

extension Strategies.SharedObject.Access {
  fileprivate var onlyLooks: Bool { self == .read || self == .awaited }
}
