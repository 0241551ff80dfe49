import Foundation
import Simulator
import SimulatorStrategies
import Synchronization

/// Holds a real run back at points drawn by chance, as the kernel may hold a thread back anywhere.
final class Pauses: Pacer, @unchecked Sendable {
  private let seed: UInt64
  private let isTimed: Bool
  private let style: Int

  init(isTimed: Bool, unit: Duration = Pauses.unit) {
    seed = .random(in: 0...(.max))
    style = .random(in: 0..<4)
    self.isTimed = isTimed
    length = unit
  }

  /// So long that pauses and the machine seldom come near it.
  static let unit = Duration.milliseconds(5)
  private let length: Duration
  override var unit: Duration { length }

  override func approach(_ point: Int) { pause(point &* 2 &+ 1) }

  override func lateness(of point: Int) -> Duration {
    style == 0 ? .zero : .microseconds(.random(in: 0..<8) * 50)
  }

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
  private let departures: Departures
  private let turns: [Int: Int]
  private let settling: Int
  private let patience: Duration
  private let places: Mutex<[Int: [Int]]>
  /// Twice the place that is next; one more while its effect is about to happen.
  private let turn = Atomic(0)
  private let isFree = Atomic(false)

  /// When a task sets out for the actor on which its point will be. What it then finds waiting there, goes before it.
  enum Departures {
    /// As late as it can, and before what comes later is put into the actor's mailbox.
    case late
    /// At once, as late as it can or in between, by chance.
    case drawn(UInt64)
  }

  init(
    _ order: [Int], of program: Program, _ departures: Departures, settling: Int, patience: Duration
  ) {
    length = order.count
    self.departures = departures
    self.settling = settling
    self.patience = patience
    var places: [Int: [Int]] = [:]
    for (index, point) in order.enumerated().reversed() { places[point, default: []].append(index) }
    self.places = Mutex(places)
    turns = Self.turns(order, places, program.mailboxes)
  }

  /// For each point to which a task sets out, the turn at which it must do so at the latest: when what an earlier step puts
  /// behind it is about to be put there.
  private static func turns(
    _ order: [Int], _ places: [Int: [Int]], _ mailboxes: [Int: Program.Mailbox]
  ) -> [Int: Int] {
    var turns: [Int: Int] = [:]
    var limits: [Int: Int] = [:]
    for (place, point) in order.enumerated().reversed() {
      guard let mailbox = mailboxes[point] else { continue }
      if let maker = mailbox.maker {
        limits[mailbox.actor] = min(limits[mailbox.actor] ?? .max, (places[maker]?.last ?? place) * 2 + 1)
      } else {
        turns[point] = min(limits[mailbox.actor] ?? .max, place * 2)
      }
    }
    return turns
  }

  override var unit: Duration { .milliseconds(10) }

  override func lateness(of point: Int) -> Duration { .microseconds(.random(in: 0..<5) * 300) }

  /// How many points came in their order before it let go.
  var reached: Int { turn.load(ordering: .relaxed) / 2 }

  override func approach(_ point: Int) {
    guard let place = places.withLock({ $0[point]?.last }) else { return }
    switch departures {
    case .late: setOut(at: turns[point] ?? place * 2, for: place)
    case .drawn(let seed):
      var random = Strategies.SplitMix64(seed: seed, stream: UInt64(bitPattern: Int64(point)))
      let between = random.below(place * 2 + 1)
      // Just before is in the middle of what comes before: a lock may be taken there.
      let departure = [0, place * 2, max(0, place * 2 - 1), between, between][random.below(5)]
      if departure > 0 { setOut(at: departure, for: place) }
    }
  }

  /// Those that set out at the same turn do so in the order of their places.
  private func setOut(at turn: Int, for place: Int) {
    wait(for: turn)
    if turn < place * 2 { usleep(UInt32(settling / 4 * min(6, place - turn / 2))) }
  }

  override func arrive<Result>(at point: Int, _ effect: () throws -> Result) rethrows -> Result {
    guard let place = places.withLock({ $0[point]?.popLast() }) else {
      // In the simulation the outcome was known before this point came.
      wait(for: length * 2)
      return try effect()
    }
    wait(for: place * 2)
    // Some set out now: after the step has begun, and before what it does.
    if isAwaited(place * 2 + 1) {
      pass(place * 2 + 1)
      // They take one for the turn to settle, and up to one and a half to set out one after the other.
      for _ in 0..<4 { settle() }
    }
    defer { pass(place * 2 + 2) }
    return try effect()
  }

  /// Whether a task may set out at this turn.
  private func isAwaited(_ turn: Int) -> Bool {
    switch departures {
    case .late: turns.values.contains(turn)
    case .drawn: true
    }
  }

  private func pass(_ turn: Int) {
    if !isFree.load(ordering: .relaxed) { self.turn.store(turn, ordering: .sequentiallyConsistent) }
  }

  private func wait(for wanted: Int) {
    var seen = -1
    var since = ContinuousClock.now
    while !isFree.load(ordering: .relaxed) {
      let turn = turn.load(ordering: .sequentiallyConsistent)
      if turn >= wanted { return settle() }
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
