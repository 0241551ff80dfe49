/// What a step touched: its domain and whatever else it had in common with others.
struct Footprint: Sendable {
  private struct Touch: Sendable {
    let object: UInt64
    let access: SharedObject.Access
  }

  /// The name of its domain; 0 for the pool, which orders nothing.
  private let place: UInt64
  private var touches: ContiguousArray<Touch> = []
  /// Whether it has everything in common with everybody.
  private(set) var isBarrier = false

  init(place: UInt64) { self.place = place }

  static let barrier: Footprint = {
    var footprint = Footprint(place: 0)
    footprint.isBarrier = true
    return footprint
  }()

  mutating func add(_ object: SharedObject, _ access: SharedObject.Access) {
    guard object != .everything else { return isBarrier = true }
    let key = object.key
    if touches.contains(where: { $0.object == key && $0.access == access }) { return }
    touches.append(Touch(object: key, access: access))
  }

  /// Takes in what the same step touches when other things happen in it.
  mutating func formUnion(_ other: Footprint) {
    isBarrier = isBarrier || other.isBarrier
    touches += other.touches
  }

  /// Whether `later`, which cannot have come first, waited for this step as one of several.
  func isAwaited(by later: Footprint) -> Bool {
    touches.contains { touch in
      touch.access == .joined && later.touches.contains { $0.object == touch.object && $0.access == .read }
    }
  }

  /// Whether the order of the two steps can make a difference.
  func conflicts(with other: Footprint) -> Bool {
    if isBarrier || other.isBarrier { return true }
    if place != 0, place == other.place { return true }
    for touch in touches {
      for another in other.touches
      where touch.object == another.object && (touch.access == .exclusive || touch.access != another.access) {
        return true
      }
    }
    return false
  }
}

extension SharedObject {
  /// One word for the object; different objects have different words for all practical purposes.
  fileprivate var key: UInt64 {
    switch self {
    case .task(let path): Digest.mix(1, path)
    case .result(let path): Digest.mix(2, path)
    case .group(let path): Digest.mix(3, path)
    case .mailbox(let place): Digest.mix(4, place)
    case .fake(let name): Digest.mix(5, name)
    case .stream(let name): Digest.mix(10, name)
    case .declared(let name): Digest.mix(11, name)
    case .timers: 6
    case .randomness: 7
    case .watched: 8
    case .everything: 9
    }
  }
}
