import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// What strategies do about steps that stand: what remains of such a step is the next event of its task.
///
/// Two tasks write three letters each. Each letter is written under a lock, and after it the step may be left.
@Suite struct `A step that stands` {
  /// How often each text came out.
  private func texts(
    _ strategy: any SchedulingStrategy, repetitions: Int = 2_000,
    _ body: @escaping @Sendable (Page) async -> Void = { page in
      async let first: Void = page.write("a")
      async let second: Void = page.write("b")
      _ = await (first, second)
    }
  ) -> [String: Int] {
    let found = Mutex<[String: Int]>([:])
    var explorer = Explorer(name: "two writers", options: Simulation.Options(steps: .preemptible)) { _ in
      let page = Page()
      await body(page)
      found.withLock { $0[page.text, default: 0] += 1 }
    }
    explorer.budget.schedules = repetitions
    explorer.budget.violationsToFind = nil
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

  /// A strategy that kept what is not on offer would pick it, which ends the process.
  @Test(arguments: strategies)
  func `holds back what waits for its actor`(_ name: String) throws {
    let strategy = try #require(Strategies.Named.named(name)).make()
    let texts = texts(strategy, repetitions: 400) { page in
      let desk = Desk(page: page)
      await withTaskGroup(of: Void.self) { group in
        for letter in "abc" { group.addTask { await desk.write(letter) } }
        group.addTask { await page.write("d", times: 2) }
      }
    }
    #expect(texts.keys.allSatisfy { $0.filter { $0 != "d" }.count == 6 && $0.count == 8 })
    // No letter of the actor's comes between two others of one call.
    let apart = texts.keys.filter { text in
      let letters = Array(text.filter { $0 != "d" })
      return stride(from: 0, to: 6, by: 2).contains { letters[$0] != letters[$0 + 1] }
    }
    #expect(apart.isEmpty)
    #expect(texts.count > 1)
  }

  /// All that have a name, but the one that runs a single schedule.
  private static let strategies = Strategies.Named.all.map(\.name).filter { $0 != "natural" }
}

private actor Desk {
  private let page: Page

  init(page: Page) { self.page = page }

  func write(_ letter: Character) {
    page.put(letter)
    page.put(letter)
  }
}

private final class Page: @unchecked Sendable {
  // @unchecked Sendable because `text` is changed under the lock only.
  private let lock = NSLock()
  private(set) var text = ""

  func write(_ letter: Character, times: Int = 3) async {
    for _ in 0..<times { put(letter) }
  }

  func put(_ letter: Character) {
    lock.withLock { text.append(letter) }
  }
}
