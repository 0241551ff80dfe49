import Foundation
import Scenarios
import Simulator

/// Two clients of something that lives as long as the process.
final class Shared: System {
  nonisolated static let checks = [
    SystemCheck(.screenMatchesDisk("asked", "counted"))
  ]

  nonisolated static let descriptor = SystemDescriptor(
    "shared", "Two clients of something that lives as long as the process.",
    variants: [.init("naive", "Reads, waits and writes."), .init("hardened", "Does all in one step.")],
    actions: [.init("use", "Uses it once.")],
    fakes: [],
    settings: [.string("state", "What is kept.", default: "counter")],
    invariants: checks.map(\.descriptor))

  private let state: State
  private let isNaive: Bool
  private let asked = Tally()

  enum State: String { case counter, once, kept, filled }

  init(_ variant: String, in world: World) throws {
    let name = world.settings.string("state") ?? ""
    guard let state = State(rawValue: name) else { throw UnknownName("state", name) }
    self.state = state
    isNaive = variant == "naive"
  }

  func perform(_ action: UserAction) async throws {
    await asked.add()
    switch state {
    case .counter: await SharedCounter.shared.add(atOnce: !isNaive)
    case .once: await OnceCache.shared.load(atOnce: !isNaive)
    case .kept: await KeptCounter.shared.add(resetting: !isNaive)
    case .filled: _ = await FilledCache.shared.text(of: 3) + SlowFormatter.shared.text(of: 3)
    }
    if state == .filled { await asked.count() }
  }

  var observed: [Observed] {
    [
      Observed("asked", of: { [asked] in asked.assumeIsolated { $0.asked } }) { .int($0) },
      Observed("counted", of: { [asked, state] in Self.counted(state, asked) }) { .int($0) },
    ]
  }

  private static func counted(_ state: State, _ asked: Tally) -> Int {
    switch state {
    case .counter: SharedCounter.shared.assumeIsolated { $0.value }
    case .once: asked.assumeIsolated { $0.asked } + OnceCache.shared.assumeIsolated { max(0, $0.loads - 1) }
    case .kept: asked.assumeIsolated { $0.asked } + KeptCounter.shared.assumeIsolated { $0.surplus }
    case .filled: asked.assumeIsolated { $0.counted }
    }
  }
}

/// What one execution asked for.
actor Tally {
  private(set) var asked = 0
  private(set) var counted = 0
  func add() { asked += 1 }
  func count() { counted += 1 }
}

/// Counts all that ever happens: only in a fresh process is the count that of one execution.
actor SharedCounter {
  static let shared = SharedCounter()
  private(set) var value = 0

  func add(atOnce: Bool) async {
    let before = value
    if !atOnce { await Task.yield() }
    value = before + 1
  }
}

/// Is empty only the first time.
actor OnceCache {
  static let shared = OnceCache()
  private(set) var loads = 0
  private var isLoaded = false

  func load(atOnce: Bool) async {
    guard !isLoaded else { return }
    if atOnce { isLoaded = true }
    await Task.yield()
    loads += 1
    isLoaded = true
  }
}

/// Is wrong from the twentieth time on, which no fresh process comes to.
actor KeptCounter {
  static let shared = KeptCounter()
  private var times = 0
  var surplus: Int { times >= 20 ? 1 : 0 }

  func add(resetting: Bool) { times = resetting ? 0 : times + 1 }
}

/// Is filled by the first execution, and answers the same afterwards.
actor FilledCache {
  static let shared = FilledCache()
  private var texts: [Int: String] = [:]

  func text(of number: Int) -> String {
    if let text = texts[number] { return text }
    let text = "\(number)"
    texts[number] = text
    return text
  }
}

/// Takes its time to be made, once.
final class SlowFormatter: Sendable {
  static let shared = SlowFormatter()
  private let digits = (0..<10).map(String.init)

  func text(of number: Int) -> String { digits[number % 10] }
}
