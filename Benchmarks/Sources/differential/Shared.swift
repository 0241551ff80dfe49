import Dispatch
import Simulator
import Synchronization

/// A number that an actor owns, and what was started there.
actor Cell {
  private let pacer: Pacer
  private let next: Cell?
  private var value = 0
  private var started = ""

  init(_ pacer: Pacer, next: Cell? = nil) {
    self.pacer = pacer
    self.next = next
  }

  func text(_ point: Int) -> String { pacer.step(point) { "\(value)\(started)" } }

  func read(_ point: Int) -> Int { pacer.step(point) { value } }

  func set(_ value: Int, _ point: Int) { pacer.step(point) { self.value = value } }

  func add(_ point: Int) { pacer.step(point) { value += 1 } }

  /// Blocks its thread, and keeps this actor closed.
  func wait(for semaphore: DispatchSemaphore, _ point: Int) {
    semaphore.wait()
    pacer.step(point) {}
  }

  func relay(_ point: Int) async -> Int {
    let before = pacer.step(point) { value }
    pacer.approach(point + 1)
    let further = await next?.read(point + 1) ?? 0
    pacer.step(point + 2) { value = before + 1 }
    return before * 10 + further
  }

  func start(_ word: Int, _ point: Int) {
    pacer.step(point) {
      _ = Task { self.pacer.step(point + 1) { self.started += "s\(word)" } }
      // The task may not begin before this step is over.
      started += "."
    }
  }
}

/// A number that the main actor owns, and what was started there.
@MainActor final class Counter {
  private let pacer: Pacer
  private var value = 0
  private var started = ""

  nonisolated init(_ pacer: Pacer) { self.pacer = pacer }

  func text(_ point: Int) -> String { pacer.step(point) { "\(value)\(started)" } }

  func count(_ point: Int) -> Int {
    pacer.step(point) {
      value += 1
      return value
    }
  }

  nonisolated func start(_ word: Int, _ point: Int) {
    _ = Task { @MainActor in pacer.step(point + 1) { started += "m\(word)" } }
  }
}

/// Holds its waiters until it is opened.
actor Gate {
  private let pacer: Pacer
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ pacer: Pacer) { self.pacer = pacer }

  /// Whether it had to wait.
  func wait(_ point: Int) async -> Bool {
    guard pacer.step(point, { !isOpen }) else { return false }
    await withCheckedContinuation { waiting.append($0) }
    return true
  }

  func open(_ point: Int) {
    pacer.step(point) {
      isOpen = true
      for waiter in waiting { waiter.resume() }
      waiting = []
    }
  }
}

/// A text that no actor owns. A simulation sees each use of it.
final class Board: Sendable {
  private let entries = Mutex("")

  var text: String {
    Simulation.current?.declareAccess(to: "board", .read)
    return entries.withLock { $0 }
  }

  func note(_ entry: String) {
    Simulation.current?.declareAccess(to: "board")
    entries.withLock { $0 += entry }
  }
}

enum Tag {
  @TaskLocal static var current = 0
}

/// A place that no one else goes to: a task that goes there may come back at any time. It is no yield, since a task that
/// yields lets those go first that it starves.
actor Aside {
  private static let passed = Atomic(0)

  func pass() { Self.passed.add(1, ordering: .relaxed) }
}
