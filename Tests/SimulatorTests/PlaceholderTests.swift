import Simulator
import Testing

actor Counter {
  var value = 0
  func get() -> Int { value }
  func set(_ v: Int) { value = v }
}

@Test func `lost update`() {
  let report = explore(schedules: 100) { simulation in
    let c = Counter()
    async let a: Void = {
      let v = await c.get(); await c.set(v + 1)
    }()
    async let b: Void = {
      let v = await c.get(); await c.set(v + 1)
    }()
    _ = await (a, b)
    let v = await c.get()
    if v != 2 { simulation.fail("no-lost-update", "counter is \(v)") }
  }
  print(
    report.violations.map { ($0.message, $0.token.description, $0.step) }, report.schedules, report.warnings)
  #expect(!report.violations.isEmpty)
}

actor Gate {
  var waiting: [CheckedContinuation<Void, Never>] = []
  func wait() async { await withCheckedContinuation { waiting.append($0) } }
  func pass() async { await wait() }
}

@Test func `deadlock says who`() {
  let report = explore(schedules: 10) { _ in
    let gate = Gate()
    async let a: Void = gate.pass()
    async let b: Void = gate.pass()
    _ = await (a, b)
    _ = gate
  }
  for v in report.violations { print(v.invariant, v.message, v.token) }
  let e = simulate { sim in
    let c = Counter()
    await c.set(1)
    try await Task.sleep(for: .seconds(5))
    await MainActor.run { sim.record(.note("hi")) }
  }
  for ev in e.trace.events {
    print(
      ev.time, ev.step, e.trace.domains[ev.domain], ev.task.map { e.trace.path(ofTask: $0) } ?? "-", ev.kind)
  }
}

actor Account {
  var balance = 100
  func withdraw(_ amount: Int) async -> Bool {
    guard balance >= amount else { return false }
    await audit(amount)
    balance -= amount
    return true
  }
  nonisolated func audit(_ amount: Int) async { await Task.yield() }
}
@Test func `account`() {
  let report = explore(schedules: 1000) { simulation in
    let account = Account()
    simulation.always("never overdrawn") { account.assumeIsolated { $0.balance >= 0 } }
    async let first = account.withdraw(70)
    async let second = account.withdraw(70)
    _ = await (first, second)
  }
  print(report)
}
