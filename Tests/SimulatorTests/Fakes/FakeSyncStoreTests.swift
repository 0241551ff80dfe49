import Simulator
import SimulatorStrategies
import Testing

@Suite struct FakeSyncStoreTests {
  private struct Locked: Error {}

  @Test func `what was written is there at once, under its key and in its type only`() throws {
    let execution = simulate { _ in
      let settings = FakeSyncStore(holding: ["theme": "light"])
      try settings.write("dark", for: "theme")
      #expect(try settings.read("theme", as: String.self) == "dark")
      #expect(try settings.read("size", as: Int.self) == nil)
      #expect(throws: FakeStore.Mismatch.self) { try settings.read("theme", as: Int.self) }
      try settings.remove("theme")
      try settings.remove("theme")
      #expect(settings.value("theme", as: String.self) == nil)
      #expect(settings.revision == 2)
    }
    #expect(execution.violations.isEmpty)
    #expect(execution.endTime.nanoseconds == 0)
    #expect(
      execution.outcomes.map(\.description) == [
        "returned", "returned dark", "returned nothing", "threw theme is a String, not a Int", "returned",
        "returned",
      ])
  }

  @Test(arguments: [
    (Schedule.natural, nil, "token 2"), (.only(0, 1, of: 2), "locked", "token 1"),
  ])
  func `a keychain may be locked, and then keeps what it holds`(
    _ schedule: Schedule, _ error: String?, _ kept: String
  ) {
    let found = Box<[String?]>([])
    _ = simulate(schedule) { _ in
      let keychain = FakeSyncStore(
        ["write": [FakeBehavior(replies: [.ok(), .failure(Locked(), named: "locked")])]],
        holding: ["session": "token 1"], named: "keychain")
      do {
        try keychain.write("token 2", for: "session")
        found.value.append(nil)
      } catch {
        found.value.append("locked")
      }
      found.value.append(keychain.value("session", as: String.self))
    }
    #expect(found.value == [error, kept])
  }

  @Test func `a write that fails after its commit is there all the same`() {
    _ = simulate { _ in
      let settings = FakeSyncStore(["write": [FakeBehavior(faults: [.afterCommit])]])
      #expect(throws: InjectedFault.self) { try settings.write(1, for: "number") }
      #expect(settings.value("number", as: Int.self) == 1)
    }
  }

  // Two tasks on the pool add one each, as with `UserDefaults`.
  private static let adding = SmallProgram("adding to a setting") { _ in
    let settings = FakeSyncStore(holding: ["visits": 0])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let visits = try? settings.read("visits", as: Int.self)
          try? settings.write((visits ?? 0) + 1, for: "visits")
        }
      }
    }
    return "\(settings.value("visits", as: Int.self) ?? 0)"
  }

  @Test func `a value that is read, changed and written back may be lost, without any option`() {
    let options = Simulation.Options()
    #expect(Self.adding.outcomes(.portfolio, schedules: 100, options: options).outcomes == ["1", "2"])
    let (found, report) = Self.adding.outcomes(.reduced, schedules: 1_000, options: options)
    #expect(found == ["1", "2"])
    #expect(report.coverage == .everyBehavior)
  }

  @Test func `outside a simulation it works too`() throws {
    let settings = FakeSyncStore(["write": [FakeBehavior(faults: [.noFault, .beforeCommit])]])
    try settings.write("dark", for: "theme")
    #expect(try settings.read("theme", as: String.self) == "dark")
    #expect(settings.received("write").with("theme").once)
  }
}
