import Simulator

/// A program that can be broken, of each kind of trouble one.
struct Program: Sendable {
  let name: String
  let body: @Sendable (Simulation) async throws -> Void

  /// Without waiting for foreign threads at a deadlock: there are none.
  var explorer: Explorer {
    var options = Simulation.Options()
    options.foreignThreadTimeout = .zero
    return Explorer(name: name, options: options, body: body)
  }

  static let all = [lostUpdate, overdrawn, staleResult, tornWrite, deadlock, cancelledWrite]

  private static let lostUpdate = Program(name: "lost-update") { simulation in
    let counter = Counter()
    await withDiscardingTaskGroup { group in
      for _ in 0..<3 { group.addTask { await counter.increment() } }
    }
    let value = await counter.value
    if value != 3 { simulation.fail("no-lost-update", "three increments made \(value)") }
  }

  private static let overdrawn = Program(name: "overdrawn") { simulation in
    let counter = Counter()
    simulation.always("never-below-zero") { counter.assumeIsolated { $0.value } >= -1 }
    async let first: Void = counter.take()
    async let second: Void = counter.take()
    async let third: Void = counter.take()
    _ = await (first, second, third)
  }

  private static let staleResult = Program(name: "stale-result") { simulation in
    let screen = Screen()
    async let first: Void = screen.search(
      "a", for: simulation.choose(in: .milliseconds(50) ... .milliseconds(500)))
    try await Task.sleep(for: .milliseconds(100))
    async let second: Void = screen.search(
      "ab", for: simulation.choose(in: .milliseconds(10) ... .milliseconds(90)))
    _ = await (first, second)
    let shown = await screen.shown
    if shown != "ab" { simulation.fail("latest-wins", "the screen shows \(shown)") }
  }

  private static let tornWrite = Program(name: "torn-pair") { simulation in
    let pair = Pair()
    simulation.always("both-or-none") { pair.assumeIsolated { !$0.isSettled || $0.left == $0.right } }
    simulation.anytime { Task { await pair.set(2) } }
    await pair.set(1)
  }

  private static let deadlock = Program(name: "deadlock") { _ in
    let first = Fork()
    let second = Fork()
    async let left: Void = eat(first, second)
    async let right: Void = eat(second, first)
    _ = await (left, right)
  }

  private static let cancelledWrite = Program(name: "cancelled-write") { simulation in
    let pair = Pair()
    let writer = Task {
      await pair.setLeft(1)
      if Task.isCancelled { return }
      await pair.setRight(1)
    }
    simulation.anytime { writer.cancel() }
    await writer.value
    let left = await pair.left
    let right = await pair.right
    if left != right { simulation.fail("both-or-none", "\(left) and \(right)") }
  }
}

private actor Counter {
  private(set) var value = 0

  func increment() async {
    let before = value
    await Task.yield()
    value = before + 1
  }

  func take() async {
    guard value > -1 else { return }
    await Task.yield()
    value -= 1
  }
}

@MainActor private final class Screen {
  private(set) var shown = ""

  nonisolated init() {}

  func search(_ text: String, for delay: Duration) async {
    try? await Task.sleep(for: delay)
    shown = text
  }
}

private actor Pair {
  private(set) var left = 0
  private(set) var right = 0
  private(set) var isSettled = true

  func set(_ value: Int) async {
    isSettled = false
    left = value
    await Task.yield()
    right = value
    isSettled = true
  }

  func setLeft(_ value: Int) { left = value }
  func setRight(_ value: Int) { right = value }
}

private actor Fork {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    if isTaken { return await withCheckedContinuation { waiting.append($0) } }
    isTaken = true
  }

  func put() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}

private func eat(_ first: Fork, _ second: Fork) async {
  await first.take()
  await second.take()
  await second.put()
  await first.put()
}
