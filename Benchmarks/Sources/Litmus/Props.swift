import Dispatch
import Simulator
import Synchronization

/// A number that an actor owns.
actor Cell {
  var value = 0

  func write(_ value: Int) { self.value = value }

  func add(_ amount: Int) { value += amount }
}

/// A text that an actor owns: who came when, seen from one domain.
actor Journal {
  var text = ""

  /// The text without the space after its last entry.
  var trimmed: String { text.last == " " ? String(text.dropLast()) : text }

  func note(_ entry: String) { text += entry }
}

/// A text that no actor owns: who came when, seen from anywhere. A simulation sees each use of it.
final class Board: Sendable {
  private let entries = Mutex("")

  var text: String {
    Simulation.current?.declareAccess(to: "board", .read)
    return entries.withLock { $0 }
  }

  /// The text without the space after its last entry.
  var trimmed: String { text.last == " " ? String(text.dropLast()) : text }

  func note(_ entry: String) {
    Simulation.current?.declareAccess(to: "board")
    entries.withLock { $0 += entry }
  }
}

/// A text to which a known number of notes is added, and which can be awaited.
final class AwaitedNotes: Sendable {
  private let board = Board()
  private let toCome = DispatchGroup()

  init(_ count: Int) { for _ in 0..<count { toCome.enter() } }

  func note(_ entry: String) {
    board.note(entry)
    toCome.leave()
  }

  /// The text once it has all its notes.
  var text: String {
    get async {
      await withCheckedContinuation { waiting in toCome.notify(queue: .global()) { waiting.resume() } }
      return board.text
    }
  }
}

/// Holds its waiters until it is opened, once and for all.
actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

/// Starts each body in a task of its own, in order, and waits for all of them.
@concurrent func together(_ bodies: @Sendable () async -> Void...) async {
  let tasks = bodies.map { body in Task { await body() } }
  for task in tasks { await task.value }
}

private let ponderings = Atomic(0)

/// `value + 1`, worked out where the caller stands.
///
/// The optimizer merges two calls on an actor into one visit when nothing between them needs another place. This
/// touches memory, so the hops around it stay, in release as in debug.
@inline(never) func successor(of value: Int) -> Int {
  pause()
  return value + 1
}

/// Work that keeps the hops around it apart. See ``successor(of:)``.
@inline(never) func pause() {
  ponderings.add(1, ordering: .relaxed)
}

/// Now and then a short spin, between two operations on atomics, so that the real runtime's threads meet there. Nothing in a
/// simulation.
@inline(never) func breathe() {
  guard Simulation.current == nil, UInt8.random(in: 0...3) == 0 else { return }
  for _ in 0..<Int.random(in: 0...2_000) { _ = ponderings.load(ordering: .relaxed) }
}
