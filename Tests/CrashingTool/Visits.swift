import Foundation
import Scenarios
import Simulator

/// A room in which two visitors at a time are trouble.
final class Visits: System {
  nonisolated static let checks = [
    SystemCheck(.screenMatchesDisk("visits", "visits counted"))
  ]

  nonisolated static let descriptor = SystemDescriptor(
    "visits", "A room in which two visitors at a time are trouble.",
    variants: [.init("naive", "Lets everybody in."), .init("hardened", "Lets one in after the other.")],
    actions: [.init("visit", "Comes, stays for a second and goes.")],
    fakes: [],
    settings: [.string("trouble", "What two visitors lead to.", default: "none")],
    invariants: checks.map(\.descriptor))

  private let room: Room
  private let trapsWhenCancelled: Bool

  init(_ variant: String, in world: World) throws {
    let name = world.settings.string("trouble") ?? ""
    guard let trouble = Trouble(rawValue: name) else { throw UnknownName("trouble", name) }
    trapsWhenCancelled = variant == "naive" && trouble == .trapsWhenCancelled
    room = Room(variant == "naive" ? trouble : .none)
    if variant == "naive", trouble == .trapsBesideThread { Bystander.start() }
  }

  func perform(_ action: UserAction) async throws {
    await room.enter()
    try await withTaskCancellationHandler {
      try await Task.sleep(for: .seconds(1))
    } onCancel: { [trapsWhenCancelled] in
      if trapsWhenCancelled { fatalError("cancelled inside") }
    }
    await room.leave()
  }

  var observed: [Observed] {
    [
      Observed("visits", of: { [room] in room.assumeIsolated { $0.visits } }) { .int($0) },
      Observed("visits counted", of: { [room] in room.assumeIsolated { $0.counted } }) { .int($0) },
    ]
  }
}

/// Where visitors come and go.
actor Room {
  private let trouble: Trouble
  private var inside = 0
  private(set) var visits = 0
  private(set) var counted = 0

  init(_ trouble: Trouble) {
    self.trouble = trouble
    if trouble == .diesWhenPutAway { Self.stayForEver() }
  }

  func enter() {
    inside += 1
    visits += 1
    if inside > 1 {
      print("two visitors")
      trouble.strike()
    }
    if trouble == .miscountsSlowly { Self.takeTime() }
    if trouble == .miscounts && inside > 1 || trouble == .miscountsSlowly && inside > 2 { return Self.tell() }
    if trouble == .branchesOnAddress, inside > 1, (ObjectIdentifier(self).hashValue >> 3) & 1 == 0 { return }
    if trouble != .miscountsAndTraps || visits < 3 { counted += 1 }
  }

  func leave() { inside -= 1 }

  /// Leaves a mark in a file, so that a test knows without a clock what its tool has come to.
  private static func tell() {
    guard let path = ProcessInfo.processInfo.environment["MISCOUNTED"] else { return }
    let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    unsafe write(file, "x", 1)
    close(file)
  }

  /// Some tenths of a second of the processor's time. A call that waits would be a way out of the simulation.
  private static func takeTime() {
    var number = UInt64(ProcessInfo.processInfo.processorCount)
    for _ in 0..<10_000_000 { number = number &* 6_364_136_223_846_793_005 &+ 1 }
    precondition(number != 0)
  }

  private static func stayForEver() {
    Task {
      do { try await Task.sleep(for: .seconds(3_600)) } catch { fatalError("\(error)") }
    }
  }
}
