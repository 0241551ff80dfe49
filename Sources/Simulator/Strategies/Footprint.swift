/// One thing that a step touched.
struct Touch: Sendable {
  /// The name of the object.
  let object: UInt64
  let access: SharedObject.Access

  /// One bit of a word, nearly always another for another object.
  var bit: UInt64 { 1 << (object & 63) }

  /// Whether the order of the two can make a difference.
  func conflicts(with other: Touch) -> Bool {
    object == other.object && (access == .exclusive || access != other.access)
  }
}

/// What a step touched: its domain and whatever else it had in common with others.
struct Footprint: Sendable {
  /// The name of its domain; 0 for the pool, which orders nothing.
  let place: UInt64
  /// Whether it has everything in common with everybody.
  private(set) var isBarrier: Bool
  private(set) var touches: ContiguousArray<Touch>
  /// The bits of all of them.
  private(set) var bits: UInt64

  init(place: UInt64, isBarrier: Bool, touches: ContiguousArray<Touch>, bits: UInt64) {
    self.place = place
    self.isBarrier = isBarrier
    self.touches = touches
    self.bits = bits
  }

  /// Takes in what the same step touches when other things happen in it.
  mutating func formUnion(_ other: Footprint) {
    isBarrier = isBarrier || other.isBarrier
    touches += other.touches
    bits |= other.bits
  }
}
