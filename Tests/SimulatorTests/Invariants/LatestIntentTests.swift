import Simulator
import Testing

@Suite struct `The latest intent wins` {
  private let opened = Invariant.latestChoiceWins(
    of: "open", by: "recipe", answeredBy: "read", on: "screen", until: "close")
  private let saved = Invariant.latestSaveWins(of: "save", for: "recipe", saving: "text", on: "screen")

  /// Opens recipes one after the other; each is read for so long, and then shown if `isShown` allows it.
  private func open(
    _ recipes: [(id: String, milliseconds: Int)], in simulation: Simulation,
    isShown: @escaping @MainActor @Sendable (Int) -> Bool = { _ in true }
  ) async {
    let screen = Screen(simulation, .none)
    let store = FakeStore(
      holding: Dictionary(recipes.map { ($0.id, "\($0.id) text") }, uniquingKeysWith: { $1 }))
    var tasks: [Task<Void, Never>] = []
    for (number, recipe) in recipes.enumerated() {
      let open = Trace.Action(
        label: "open \(number)", name: "open", arguments: .record([.init("recipe", .text(recipe.id))]))
      tasks.append(
        simulation.act(open) {
          let text = try await store.read(recipe.id, as: String.self, showing: { Trace.Value.text($0) })
          try await Task.sleep(for: .milliseconds(recipe.milliseconds))
          if isShown(number) { screen.show(text.map { .text($0) } ?? .none) }
        })
    }
    for task in tasks { await task.value }
  }

  @Test func `an older choice that comes last is a violation`() {
    let (sentences, judged) = opened.judging { simulation in
      await open([("soup", 20), ("cake", 10)], in: simulation)
    }
    #expect(
      sentences == [
        "the user chose cake last, but in the end screen shows soup text, the answer to soup"
      ])
    #expect(judged)
    #expect(
      opened.diagnosis { await open([("soup", 20), ("cake", 10)], in: $0) } == .staleOverNewer)
  }

  @Test func `the newer choice may come first if the older one is not shown`() {
    #expect(opened.holds { await open([("soup", 20), ("cake", 10)], in: $0) { $0 == 1 } })
    #expect(opened.holds { await open([("soup", 10), ("cake", 20)], in: $0) })
    #expect(opened.holds { await open([("soup", 10), ("soup", 5)], in: $0) })
  }

  @Test func `a choice that was canceled, that failed, or that another action ends owes nothing`() {
    for ending in ["cancel", "fail", "close", "leave"] {
      let (sentences, _) = opened.judging { simulation in
        let screen = Screen(simulation, .none)
        let store = FakeStore(holding: ["soup": "soup text"])
        let cake = Trace.Action(label: "cake", name: "open", arguments: .record([.init("recipe", "cake")]))
        await simulation.act(cake) {
          if ending == "fail" { throw CancellationError() }
          try await Task.sleep(for: .milliseconds(1))
        }.value
        switch ending {
        case "cancel": simulation.record(.cancelled(cake))
        case "close": simulation.record(.actionBegan(Trace.Action(label: "close", name: "close")))
        case "leave": simulation.record(.dismissed(owner: "screen"))
        default: break
        }
        let text = try await store.read("soup", as: String.self, showing: { Trace.Value.text($0) })
        await screen.show(.text(text ?? ""))
      }
      #expect(sentences.isEmpty, "\(ending)")
    }
  }

  /// Two saves of soup, of which one may end badly, or not at all; then the disk holds `kept`. Returns what is wrong with that.
  private func saves(
    keeping kept: Trace.Value, _ endings: [Trace.Outcome?]
  ) -> [String] {
    saved.judging { simulation in
      let disk = Screen(simulation, .none)
      let saves = ["salt", "sugar"].map { text in
        Trace.Action(
          label: "save \(text)", name: "save",
          arguments: .record([.init("recipe", "soup"), .init("text", .text(text))]))
      }
      for save in saves { simulation.record(.actionBegan(save)) }
      for (save, ending) in zip(saves, endings) {
        if let ending { simulation.record(.actionEnded(save, ending)) }
      }
      await disk.show(.record([.init("soup", kept)]))
    }.sentences
  }

  @Test func `an older save that fails takes nothing from the newer one`() {
    #expect(saves(keeping: "salt", [.threw("full"), .returned(.none)]).count == 1)
    #expect(saves(keeping: "sugar", [.threw("full"), .returned(.none)]).isEmpty)
    #expect(saves(keeping: "salt", [.returned(.none), .threw("full")]).isEmpty)
  }

  @Test func `a save that has not returned owes nothing`() {
    #expect(saves(keeping: "salt", [.returned(.none), nil]).isEmpty)
  }

  @Test func `of several in one, each is judged, and says what it shows`() {
    let both = Invariant.all([opened, saved])
    #expect(both.isBroken { await open([("soup", 20), ("cake", 10)], in: $0) })
    #expect(both.diagnosis { await open([("soup", 20), ("cake", 10)], in: $0) } == .staleOverNewer)
    #expect(both.holds { await open([("soup", 10), ("cake", 20)], in: $0) })
  }

  @Test func `the screen may show the choice itself`() {
    let invariant = Invariant.latestChoiceWins(of: "open", by: "recipe", on: "screen", "title")
    func sentences(_ title: Trace.Value) -> [String] {
      invariant.judging { simulation in
        let screen = Screen(simulation, .none)
        let cake = Trace.Action(label: "cake", name: "open", arguments: .record([.init("recipe", "cake")]))
        await simulation.act(cake) { screen.show(.record([.init("title", title)])) }.value
      }.sentences
    }
    #expect(sentences("cake").isEmpty)
    #expect(
      sentences("soup") == ["the user chose cake last, but in the end screen shows soup, the answer to soup"])
  }

  @Test(arguments: ["sugar", "salt"])
  func `the save that came last is kept`(_ kept: String) {
    let (sentences, judged) = saved.judging { simulation in
      let disk = Screen(simulation, .none)
      for text in ["salt", "sugar"] {
        let save = Trace.Action(
          label: "save \(text)", name: "save",
          arguments: .record([.init("recipe", "soup"), .init("text", .text(text))]))
        await simulation.act(save) {}.value
      }
      await disk.show(.record([.init("soup", .text(kept))]))
    }
    #expect(judged)
    #expect(
      sentences
        == (kept == "salt" ? ["the user saved sugar last, but in the end screen holds salt"] : []))
  }
}
