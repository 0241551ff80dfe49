import Simulator
import SimulatorStrategies
import Testing

@Suite struct `A process that dies` {
  @Test func `runs none of its code any more, no defer and no handler`() {
    let said = Box<[String]>([])
    let execution = simulate { simulation in
      let app = simulation.launch("app") {
        defer { if Simulation.current?.now != nil { said.value.append("defer") } }
        await withTaskCancellationHandler {
          said.value.append("begins")
          try? await Task.sleep(for: .seconds(2))
          said.value.append("goes on")
        } onCancel: {
          said.value.append("cancelled")
        }
      }
      try await Task.sleep(for: .seconds(1))
      app.kill()
      try await Task.sleep(for: .seconds(5))
      simulation.record(.note(said.value.joined(separator: ", ")))
    }
    #expect(execution.notes == ["app dies", "begins"])
    #expect(execution.ending == .finished)
    #expect(execution.warnings == [])
  }

  @Test func `holds up no time`() {
    let execution = simulate { simulation in
      let app = simulation.launch { try? await Task.sleep(for: .seconds(3_000)) }
      let worker = simulation.launch { await Simulation.spend(.seconds(3_000)) }
      let ranged = simulation.launch { try? await Simulation.sleep(in: .seconds(2_000)...(.seconds(3_000))) }
      try await Task.sleep(for: .seconds(1))
      for process in [app, worker, ranged] { process.kill() }
    }
    #expect(execution.endTime == VirtualInstant(nanoseconds: 1_000_000_000))
    #expect(execution.ending == .finished)
  }

  @Test func `takes with it all tasks that its tasks have made`() {
    let done = Box(0)
    let execution = simulate { simulation in
      let app = simulation.launch {
        Task.detached {
          try? await Task.sleep(for: .seconds(2))
          done.value += 1
        }
        await withTaskGroup { group in
          for _ in 0..<3 {
            group.addTask {
              try? await Task.sleep(for: .seconds(2))
              done.value += 1
            }
          }
        }
        done.value += 1
      }
      try await Task.sleep(for: .seconds(1))
      app.kill()
      try await Task.sleep(for: .seconds(5))
      simulation.record(.note("\(done.value) done"))
    }
    #expect(execution.notes == ["process dies", "0 done"])
  }

  @Test func `opens the main actor that its work has kept closed`() {
    let execution = simulate { simulation in
      let app = simulation.launch { await Self.busy() }
      try await Task.sleep(for: .seconds(1))
      Task { @MainActor in simulation.record(.note("free at \(simulation.now)")) }
      try await Task.sleep(for: .seconds(1))
      app.kill()
      try await Task.sleep(for: .seconds(1))
    }
    #expect(execution.notes == ["process dies", "free at 2 s"])
  }

  @MainActor private static func busy() async { await Simulation.spend(.seconds(60)) }

  @Test func `commits nothing any more, and gives back its turn`() {
    let execution = simulate { simulation in
      let store = FakeStore(
        ["transaction": [FakeBehavior(delay: .seconds(2))], "write": [FakeBehavior(delay: .seconds(3))]],
        holding: ["a": 1])
      let app = simulation.launch {
        async let other: Void? = try? store.write(7, for: "b")
        try? await store.transaction { $0.write(2, for: "a") }
        await other
      }
      let waiting = simulation.launch { try? await store.transaction { $0.write(3, for: "a") } }
      async let mine: Void = Task.sleep(for: .seconds(1))
      async let survivor: Void = store.transaction {
        $0.write(try $0.read("a", as: Int.self)! + 10, for: "a")
      }
      try await mine
      app.kill()
      waiting.kill()
      try await survivor
      try await Task.sleep(for: .seconds(5))
      let (a, b) = simulation.outsideSteps { (store.held("a"), store.held("b")) }
      simulation.record(.note("a \(a), b \(b), at \(simulation.now)"))
    }
    #expect(execution.notes == ["process dies", "process dies", "a 11, b -1, at 8 s"])
  }

  @Test(arguments: [false, true])
  func `has sent what it has sent: the server acts, and nobody gets the answer`(hasWayBack: Bool) {
    let charged = Box<[String]>([])
    let execution = simulate { simulation in
      let behavior =
        hasWayBack
        ? FakeBehavior(arrivalDelay: .seconds(2), delay: .seconds(2)) : FakeBehavior(delay: .seconds(2))
      let network = FakeNetwork(["POST /charge": [behavior]])
      let app = simulation.launch {
        try? await network.exchange("POST /charge") { _ in charged.value.append("at \(simulation.now)") }
        charged.value.append("answered")
      }
      try await Task.sleep(for: .seconds(1))
      app.kill()
      try await Task.sleep(for: .seconds(9))
      simulation.record(.note(charged.value.joined(separator: ", ")))
    }
    #expect(execution.notes == ["process dies", "at 2 s"])
    #expect(execution.outcomes == [])
    #expect(execution.ending == .finished)
    #expect(execution.warnings == [])
  }

  @Test func `is no leak and no deadlock, whatever it waited for`() {
    let execution = simulate { simulation in
      let app = simulation.launch {
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
      try await Task.sleep(for: .seconds(1))
      app.kill()
    }
    #expect(execution.violations.map(\.message) == [])
  }

  @Test func `may be launched again on what it has left`() {
    let left = Box<Set<Int>>([])
    let report = explore(schedules: 2_000, strategy: Strategies.ExhaustiveReduced()) { simulation in
      let store = FakeStore(writeDelay: .seconds(1), holding: ["count": 0])
      let app = simulation.launch("app") {
        for count in 1...3 { try? await store.write(count, for: "count") }
      }
      simulation.anytime("the process dies") {
        app.kill()
        let count = simulation.outsideSteps { store.held("count") }
        left.value.insert(count)
        simulation.launch("app again") { try? await store.write(count + 10, for: "count") }
      }
      simulation.always("nothing of the old one comes later") {
        let count = store.held("count")
        return count < 10 || left.value.contains(count - 10)
      }
    }
    #expect(report.violations.map(\.message) == [])
    #expect(report.coverage != nil)
    #expect(left.value == [0, 1, 2, 3])
  }

  @MainActor private static func count(_ count: Int, in store: FakeStore) async {
    await Task.yield()
    await Simulation.spend(.milliseconds(100))
    try? await store.transaction { $0.write(count, for: "count") }
  }

  @Test(arguments: [Simulation.Options.Steps.atomic, .preemptible])
  func `dies at any moment without harm to the search`(steps: Simulation.Options.Steps) {
    var options = Simulation.Options()
    options.steps = steps
    let report = explore(schedules: 500, options: options) { simulation in
      let store = FakeStore(writeDelay: .alternatives([.zero, .seconds(1)]), holding: ["count": 0])
      let app = simulation.launch("app") {
        await withTaskGroup { group in
          for count in 1...3 {
            group.addTask { await Self.count(count, in: store) }
          }
        }
      }
      simulation.anytime("the process dies") { app.kill() }
    }
    #expect(report.violations.map(\.message) == [])
  }
}

extension FakeStore {
  /// The number under `key`; -1 for none.
  fileprivate nonisolated func held(_ key: String) -> Int {
    assumeIsolated { $0.value(key, as: Int.self) ?? -1 }
  }
}

extension Simulation.Execution {
  fileprivate var notes: [String] {
    trace.events.compactMap { event in
      switch event.kind {
      case .died(let process): "\(process) dies"
      case .note(let note): note
      default: nil
      }
    }
  }
}
