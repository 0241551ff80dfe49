extension LitmusTheme {
  static let hops = LitmusTheme(
    "Hops",
    [
      Litmus(
        "lost-update-two-tasks",
        "Two tasks read an actor's number, then write it back plus one.",
        outcomes: ["1", "2"],
        why:
          "Between read and write the task is off the actor, so the other's read or write may come between."
      ) {
        let cell = Cell()
        await together({ await increment(cell) }, { await increment(cell) })
        return "\(await cell.value)"
      },
      Litmus(
        "lost-update-three-tasks",
        "Three tasks read an actor's number, then write it back plus one.",
        outcomes: ["1", "2", "3"],
        why: "One, two or three reads may see what no write has changed yet."
      ) {
        let cell = Cell()
        await together({ await increment(cell) }, { await increment(cell) }, { await increment(cell) })
        return "\(await cell.value)"
      },
      Litmus(
        "increment-in-one-call",
        "Two tasks each add one in a single call.",
        outcomes: ["2"],
        why: "A method without a suspension is one step."
      ) {
        let cell = Cell()
        await together({ await cell.add(1) }, { await cell.add(1) })
        return "\(await cell.value)"
      },
      Litmus(
        "own-methods",
        "An actor reads and writes through its own async methods; two tasks call it.",
        outcomes: ["2"],
        why: "Awaiting a method of the actor one stands on is no hop."
      ) {
        let ledger = Ledger()
        await together({ await ledger.addByOwnMethods() }, { await ledger.addByOwnMethods() })
        return "\(await ledger.value)"
      },
      Litmus(
        "same-actor-by-another-name",
        "An actor awaits a method of an actor that happens to be itself, between its read and its write.",
        outcomes: ["2"],
        why: "A hop compares executors at run time: the same one is no hop, whatever the source calls it."
      ) {
        let ledger = Ledger()
        await together({ await ledger.add(asking: ledger) }, { await ledger.add(asking: ledger) })
        return "\(await ledger.value)"
      },
      Litmus(
        "another-actor-between",
        "An actor awaits a method of another actor between its read and its write; two tasks call it.",
        outcomes: ["1", "2"],
        why: "While the task is on the other actor, the first is free for the other call."
      ) {
        let ledger = Ledger()
        let other = Ledger()
        await together({ await ledger.add(asking: other) }, { await ledger.add(asking: other) })
        return "\(await ledger.value)"
      },
      Litmus(
        "nonsending-callee",
        "An actor awaits a nonisolated(nonsending) function between its read and its write.",
        outcomes: ["2"],
        why: "Such a function runs where its caller stands, so the actor is never left."
      ) {
        let ledger = Ledger()
        await together({ await ledger.addThroughNonsending() }, { await ledger.addThroughNonsending() })
        return "\(await ledger.value)"
      },
      Litmus(
        "concurrent-callee",
        "An actor awaits a @concurrent function between its read and its write.",
        outcomes: ["1", "2"],
        why: "Such a function runs on the pool: the actor is left and may serve the other call."
      ) {
        let ledger = Ledger()
        await together({ await ledger.addThroughConcurrent() }, { await ledger.addThroughConcurrent() })
        return "\(await ledger.value)"
      },
      Litmus(
        "main-actor-between",
        "An actor awaits a main-actor function between its read and its write.",
        outcomes: ["1", "2"],
        why: "The hop to the main actor and back leaves the actor free in between."
      ) {
        let ledger = Ledger()
        await together({ await ledger.addThroughMain() }, { await ledger.addThroughMain() })
        return "\(await ledger.value)"
      },
      Litmus(
        "yield-between",
        "An actor yields between its read and its write.",
        outcomes: ["1", "2"],
        why: "A yield leaves the actor: the task goes by way of the pool and lines up again."
      ) {
        let ledger = Ledger()
        await together({ await ledger.addThroughYield() }, { await ledger.addThroughYield() })
        return "\(await ledger.value)"
      },
      Litmus(
        "check-then-act",
        "Two tasks take the last piece after having asked whether there is one.",
        outcomes: ["0", "-1"],
        why: "Both may ask before either takes."
      ) {
        let stock = Cell()
        await stock.write(1)
        await together({ await takeIfAny(stock) }, { await takeIfAny(stock) })
        return "\(await stock.value)"
      },
      Litmus(
        "check-and-act",
        "Two tasks take the last piece; the actor checks and takes in one method.",
        outcomes: ["0"],
        why: "Check and act are one step."
      ) {
        let ledger = Ledger()
        await ledger.stock(1)
        await together({ await ledger.takeIfAny() }, { await ledger.takeIfAny() })
        return "\(await ledger.value)"
      },
    ])
}

private func increment(_ cell: Cell) async {
  let seen = await cell.value
  await cell.write(successor(of: seen))
}

private func takeIfAny(_ stock: Cell) async {
  let left = await stock.value
  pause()
  if left > 0 { await stock.add(-1) }
}

private actor Ledger {
  var value = 0

  func stock(_ amount: Int) { value = amount }

  func takeIfAny() { if value > 0 { value -= 1 } }

  func addByOwnMethods() async {
    let seen = await read()
    pause()
    await write(seen + 1)
  }

  func add(asking other: Ledger) async {
    let seen = value
    await other.nod()
    value = seen + 1
  }

  func addThroughNonsending() async {
    let seen = value
    await whereTheCallerIs()
    value = seen + 1
  }

  func addThroughConcurrent() async {
    let seen = value
    await onThePool()
    value = seen + 1
  }

  func addThroughMain() async {
    let seen = value
    await onTheMainActor()
    value = seen + 1
  }

  func addThroughYield() async {
    let seen = value
    await Task.yield()
    value = seen + 1
  }

  private func read() async -> Int { value }

  private func write(_ value: Int) async { self.value = value }

  private func nod() { pause() }
}

nonisolated(nonsending) private func whereTheCallerIs() async { pause() }

@concurrent private func onThePool() async { pause() }

@MainActor private func onTheMainActor() { pause() }
