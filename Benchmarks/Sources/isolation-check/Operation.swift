import Simulator

/// A call of a fake; `check` traps where it is called outside the caller's actor.
struct Operation: Sendable {
  let name: String
  let perform: nonisolated(nonsending) @Sendable (FakeBehavior, _ check: () -> Void) async -> Void

  static let behaviors: KeyValuePairs<String, FakeBehavior> = [
    "at once": FakeBehavior(),
    "late": FakeBehavior(delay: .seconds(1)),
    "whose answer costs time": FakeBehavior(delay: .seconds(1), spend: .seconds(1)),
    "fails before its effect": FakeBehavior(delay: .seconds(1), faults: [.beforeCommit]),
    "fails in its middle": FakeBehavior(faults: [.torn]),
    "fails after its effect": FakeBehavior(delay: .seconds(1), faults: [.afterCommit]),
    "ignores a cancel": FakeBehavior(delay: .seconds(1), ignoresCancellation: [true]),
    "answers with an error": FakeBehavior(replies: [.failure(CancellationError(), named: "error")]),
  ]

  static let all = [
    Operation(name: "FakeNetwork.exchange") { behavior, check in
      let network = FakeNetwork(["GET /": [behavior]])
      _ = try? await network.exchange("GET /") { _ in 1 }
      check()
    },
    Operation(name: "FakeNetwork.send") { behavior, check in
      let network = FakeNetwork(["GET /": [behavior]])
      _ = try? await network.send(FakeNetwork.Request("GET", "/"))
      check()
    },
    Operation(name: "FakeStore.read") { behavior, check in
      let store = FakeStore(["read": [behavior]])
      _ = try? await store.read("a", as: Int.self)
      check()
      _ = try? await store.readAll(as: Int.self)
      check()
    },
    Operation(name: "FakeStore.write") { behavior, check in
      let store = FakeStore(["write": [behavior]])
      try? await store.write(1, for: "a")
      check()
      try? await store.write([.set("a", 1), .set("b", 2)])
      check()
    },
    Operation(name: "FakeStore.transaction") { behavior, check in
      let store = FakeStore(["transaction": [behavior]])
      try? await store.transaction([.set("a", 1), .set("b", 2)])
      check()
      try? await store.transaction { transaction in transaction.write(1, for: "a") }
      check()
    },
    Operation(name: "FakeTokenService.refresh") { behavior, check in
      let tokens = FakeTokenService(["refresh": [behavior]], lifetime: .seconds(9))
      _ = try? await tokens.refresh()
      check()
    },
    Operation(name: "FakeDecoder.work") { behavior, check in
      let decoder = FakeDecoder(["decode": [behavior]])
      _ = try? await decoder.work("decode") { _ in 1 }
      check()
    },
    Operation(name: "FakeKeyboard.type") { behavior, check in
      let keyboard = FakeKeyboard([behavior])
      // Keys are pressed where the keyboard is called from.
      try? await keyboard.type("ab") { _ in check() }
      check()
    },
    Operation(name: "FakeCallbackQueue.request") { behavior, check in
      let queue = FakeCallbackQueue(["focus": [behavior]])
      let stream = AsyncStream<Void> { continuation in
        queue.request("focus", serving: { _ in 1 }) { _ in
          queue.preconditionIsolated()
          continuation.finish()
        }
      }
      for await _ in stream {}
      check()
    },
    Operation(name: "Simulation.spend") { behavior, check in
      await Simulation.spend(.seconds(1))
      check()
      await Simulation.spend(.zero)
      check()
    },
  ]
}
