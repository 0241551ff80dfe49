import Simulator
import SimulatorStrategies
import Testing

/// The first line names the diagnosis, or says that it is unclassified; never wrongly.
@Suite struct `Naming a diagnosis` {
  private actor Account {
    private(set) var balance = 100
    func set(_ balance: Int) { self.balance = balance }
    func withdraw(_ amount: Int) { balance -= amount }
  }

  private func first(_ body: @escaping @Sendable (Simulation) async throws -> Void) -> Invariant.Violation? {
    explore(strategy: Strategies.RandomWalk(), body).violations.first
  }

  @Test func `a change that is gone is a lost update`() throws {
    let violation = try #require(
      first { simulation in
        let account = Account()
        simulation.observe("balance") { .int(account.assumeIsolated { $0.balance }) }
        async let first: Void = account.set(account.balance + 10)
        async let second: Void = account.set(account.balance + 20)
        _ = await (first, second)
        let balance = await account.balance
        if balance != 130 { simulation.fail("adds up", "\(balance)") }
      })
    #expect(violation.diagnosis == .lostUpdate)
    #expect(violation.evidence?.contains("on Account between two steps of task") == true)
    #expect(violation.description.hasPrefix("Lost update: "))
  }

  @Test func `two that both act on what only one may is check then act`() throws {
    let violation = try #require(
      first { simulation in
        let account = Account()
        simulation.observe("balance") { .int(account.assumeIsolated { $0.balance }) }
        simulation.always("never overdrawn") { account.assumeIsolated { $0.balance >= 0 } }
        let pay: @Sendable () async -> Void = {
          if await account.balance >= 70 { await account.withdraw(70) }
        }
        async let first: Void = pay()
        async let second: Void = pay()
        _ = await (first, second)
      })
    #expect(violation.diagnosis == .checkThenAct)
  }

  /// Answers from what it holds, and asks the network for the rest.
  private actor Rates {
    private var rate: Int?
    let looks: Bool

    init(looks: Bool) {
      self.looks = looks
    }

    func fetched(by network: FakeNetwork) async throws -> Int {
      if looks, let rate { return rate }
      let fetched = try await network.exchange("GET /rate") { _ in 7 }
      rate = fetched
      return fetched
    }
  }

  private func doubled(looks: Bool) -> Invariant.Violation? {
    first { simulation in
      simulation.require(.singleFlight("GET /rate"))
      let network = FakeNetwork(delay: .seconds(1))
      let rates = Rates(looks: looks)
      let one = simulation.act("one") { _ = try await rates.fetched(by: network) }
      try await Task.sleep(for: simulation.choose(among: [.seconds(2), .milliseconds(500)]))
      let other = simulation.act("other") { _ = try await rates.fetched(by: network) }
      _ = await (one.value, other.value)
    }
  }

  @Test func `a doubled request is check then act where one after the other only the first asks`() throws {
    let violation = try #require(doubled(looks: true))
    #expect(violation.diagnosis == .checkThenAct)
    #expect(
      violation.evidence == "task 1 and task 2 both sent GET /rate; one after the other only the first does")
  }

  @Test func `where each asks whatever came before, it is a doubled request and no more`() throws {
    let violation = try #require(doubled(looks: false))
    #expect(violation.diagnosis == .duplicateRequest)
    #expect(violation.evidence == nil)
  }

  @MainActor private final class Screen {
    private(set) var error: String?
    private var task: Task<Void, Never>?
    private let network = FakeNetwork(delay: .between(.milliseconds(50), and: .seconds(5)))

    func select(_ id: Int) {
      task?.cancel()
      task = Task { await load(id) }
    }

    private func load(_ id: Int) async {
      do { _ = try await network.send(FakeNetwork.Request("GET", "/\(id)")) } catch {
        self.error = "\(error)"
      }
    }
  }

  @Test func `an interleaving with a task that was cancelled says so`()
    throws
  {
    let violation = try #require(
      first { simulation in
        let screen = Screen()
        await screen.select(1)
        try await Task.sleep(for: .seconds(1))
        await screen.select(2)
        try await Task.sleep(for: .seconds(30))
        if let error = await screen.error { simulation.fail("no error", error) }
      })
    #expect(
      violation.evidence == """
        task 2 ran on MainActor between two steps of task 1, which went on when it was cancelled; the nearest passing run \
        keeps them apart
        """)
  }

  @Test func `without an observed value it is an interleaving, no more`() throws {
    let violation = try #require(
      first { simulation in
        let account = Account()
        async let first: Void = account.set(account.balance + 10)
        async let second: Void = account.set(account.balance + 20)
        _ = await (first, second)
        let balance = await account.balance
        if balance != 130 { simulation.fail("adds up", "\(balance)") }
      })
    #expect(violation.diagnosis == .interleaved)
  }

  @Test func `what two single steps do in another order is not named`() throws {
    let violation = try #require(
      first { simulation in
        let account = Account()
        async let first: Void = account.withdraw(10)
        async let second: Void = account.set(50)
        _ = await (first, second)
        let balance = await account.balance
        if balance != 50 { simulation.fail("the set comes last", "\(balance)") }
      })
    #expect(violation.diagnosis == nil)
    #expect(violation.description.hasPrefix("Unclassified: "))
  }

  @Test func `what is interleaved in the passing run too is not the race`() throws {
    let violation = try #require(
      first { simulation in
        let account = Account()
        let ends = Log<Int>()
        let tasks = (1...2).map { number in
          Task {
            let before = await account.balance
            await Task.yield()
            await account.set(before)
            ends.append(number)
          }
        }
        for task in tasks { await task.value }
        if ends.all == [2, 1] { simulation.fail("in order", "\(ends.all)") }
      })
    #expect(violation.diagnosis == nil)
  }

  @Test func `a deadlock is named`() {
    let body: @Sendable (Simulation) async throws -> Void = { _ in
      unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(first(body)?.diagnosis == .deadlock)
  }
}
