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
    async let a: Void = { let v = await c.get(); await c.set(v + 1) }()
    async let b: Void = { let v = await c.get(); await c.set(v + 1) }()
    _ = await (a, b)
    let v = await c.get()
    if v != 2 { simulation.fail("no-lost-update", "counter is \(v)") }
  }
  print(report.violations.map { ($0.message, $0.token.description, $0.step) }, report.schedules, report.warnings)
  #expect(!report.violations.isEmpty)
}
