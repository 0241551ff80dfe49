import Foundation
import Simulator
import Synchronization
import Testing

/// What strategies do about steps that stand: what remains of such a step is the next event of its task.
///
/// Two tasks write three letters each. Each letter is written under a lock, and after it the step may be left.
@Suite struct `A step that stands` {
  private let repetitions = 2_000

  /// How often each text came out.
  private func texts(
    _ strategy: any SchedulingStrategy,
    _ body: @escaping @Sendable (Page) async -> Void = { page in
      async let first: Void = page.write("a")
      async let second: Void = page.write("b")
      _ = await (first, second)
    }
  ) -> [String: Int] {
    let found = Mutex<[String: Int]>([:])
    var explorer = Explorer(name: "two writers", options: Simulation.Options(steps: .overlapping)) { _ in
      let page = Page()
      await body(page)
      found.withLock { $0[page.text, default: 0] += 1 }
    }
    explorer.budget.schedules = repetitions
    explorer.budget.stopsAfter = nil
    explorer.strategy = strategy
    _ = explorer.explore()
    return found.withLock { $0 }
  }

  /// Every order of three letters each.
  private var all: Set<String> { Set(permutations(Array("aaabbb")).map { String($0) }) }

  /// A task that has been made runs at once or behind its maker, and never at a later point of the maker's step.
  @Test func `keeps the priority of its task in PCT`() {
    let texts = texts(Strategies.PCT(depth: 1)) { page in
      let task = Task { await page.write("t", times: 1) }
      await page.write("m")
      await task.value
    }
    #expect(Set(texts.keys) == ["tmmm", "mmmt"])
  }

  @Test func `is where PCT changes a priority`() {
    #expect(
      Set(texts(Strategies.PCT(depth: 2)).keys) == [
        "aaabbb", "abbbaa", "aabbba", "bbbaaa", "baaabb", "bbaaab",
      ])
  }

  @Test func `draws a priority of its own in POS`() {
    let texts = texts(Strategies.POS())
    #expect(Set(texts.keys) == all)
  }

  @Test func `counts as a step of its task in URW`() {
    let texts = texts(Strategies.URW())
    #expect(Set(texts.keys) == all)
    // Were all of them equally likely, each would come a hundred times. That some parts come behind the last letter, and the
    // second task is made after the first, makes up to four times the difference.
    #expect(texts.values.allSatisfy { $0 > 25 }, "\(texts)")
  }

  @Test func `counts as a step of its task in SURW`() {
    let texts = texts(Strategies.SURW())
    #expect(Set(texts.keys) == all)
  }
}

private final class Page: @unchecked Sendable {
  // @unchecked Sendable because `text` is changed under the lock only.
  private let lock = NSLock()
  private(set) var text = ""

  func write(_ letter: Character, times: Int = 3) async {
    for _ in 0..<times { lock.withLock { text.append(letter) } }
  }
}
