import Foundation
import Synchronization

/// Holds a real run back at points drawn by chance, as the kernel may hold a thread back anywhere.
final class Pauses: Pacer, @unchecked Sendable {
  private let seed: UInt64
  private let isTimed: Bool
  private let style: Int

  init(isTimed: Bool) {
    seed = .random(in: 0...(.max))
    style = .random(in: 0..<4)
    self.isTimed = isTimed
  }

  /// So long that pauses and the machine seldom come near it.
  override var unit: Duration { .milliseconds(5) }

  override func approach(_ point: Int) { pause(point &* 2 &+ 1) }

  override func arrive<Result>(at point: Int, _ effect: () throws -> Result) rethrows -> Result {
    pause(point &* 2)
    return try effect()
  }

  /// A run has its own few places at which it takes long; at the others it takes nothing, or little.
  private func pause(_ place: Int) {
    var hash = (seed ^ UInt64(bitPattern: Int64(place))) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
    hash &*= 0xBF58_476D_1CE4_E5B9
    hash ^= hash >> 32
    let microseconds = UInt32(hash >> 40)
    switch (style, hash % 8) {
    case (0, _): break
    case (1, 0...2), (2, 0): usleep(microseconds % (isTimed ? 200 : 1_000))
    case (2, 1...6): usleep(microseconds % 60)
    case (3, 0...4): spin(Int(microseconds % 20_000))
    default: break
    }
  }
}

private let turnsMade = Atomic(0)

/// Keeps a thread busy for about `turns` nanoseconds.
func spin(_ turns: Int) {
  for _ in 0..<turns / 4 { _ = turnsMade.load(ordering: .relaxed) }
}

/// Makes a real run come to its points in the order of a simulated execution: each waits there, as if the kernel held its
/// thread back, until it is its turn. Where that does not come about, it lets go.
final class Directed: Pacer, @unchecked Sendable {
  private let length: Int
  private let late: UInt64
  private let settling: Int
  private let patience: Duration
  private let places: Mutex<[Int: [Int]]>
  private let next = Atomic(0)
  private let isFree = Atomic(false)

  /// `late` has a bit for each point: whether its task sets out as late as it can, or at once.
  init(_ order: [Int], late: UInt64, settling: Int, patience: Duration) {
    length = order.count
    self.late = late
    self.settling = settling
    self.patience = patience
    var places: [Int: [Int]] = [:]
    for (index, point) in order.enumerated().reversed() { places[point, default: []].append(index) }
    self.places = Mutex(places)
  }

  override var unit: Duration { .milliseconds(10) }

  /// How many points came in their order before it let go.
  var reached: Int { next.load(ordering: .relaxed) }

  override func approach(_ point: Int) {
    guard late >> UInt64(UInt(bitPattern: point) % 61) & 1 == 1 else { return }
    if let place = places.withLock({ $0[point]?.last }) { wait(for: place) }
  }

  override func arrive<Result>(at point: Int, _ effect: () throws -> Result) rethrows -> Result {
    guard let place = places.withLock({ $0[point]?.popLast() }) else {
      // In the simulation the outcome was known before this point came.
      wait(for: length)
      return try effect()
    }
    wait(for: place)
    defer { if !isFree.load(ordering: .relaxed) { next.store(place + 1, ordering: .sequentiallyConsistent) } }
    return try effect()
  }

  private func wait(for place: Int) {
    var seen = -1
    var since = ContinuousClock.now
    while !isFree.load(ordering: .relaxed) {
      let turn = next.load(ordering: .sequentiallyConsistent)
      if turn == place { return settle() }
      if turn != seen { (seen, since) = (turn, .now) }
      if ContinuousClock.now - since > patience { return isFree.store(true, ordering: .relaxed) }
      usleep(5)
    }
  }

  /// Leaves what came before the time to reach others: a wake-up, a hop, a task's end.
  private func settle() {
    if settling > 0 { usleep(UInt32(settling)) }
  }
}
