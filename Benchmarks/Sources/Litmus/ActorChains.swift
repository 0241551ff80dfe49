extension LitmusTheme {
  static let actorChains = LitmusTheme(
    "Chains of actors",
    [
      Litmus(
        "reentrancy",
        "An actor calls another, which calls back; the first compares its number before and after.",
        outcomes: ["0 then 1"],
        why: "The first actor is free while it awaits, so the call back enters and its write is seen."
      ) {
        await Room().visit(Room())
      },
      Litmus(
        "reentrancy-with-a-stranger",
        "The same, while another task adds one to the first actor.",
        outcomes: ["0 then 1", "0 then 2", "1 then 2"],
        why: "The stranger comes after, during or before the visit."
      ) {
        let room = Room()
        let stranger = Task { await room.add() }
        let visit = Task { await room.visit(Room()) }
        await stranger.value
        return await visit.value
      },
      Litmus(
        "two-actors-await-each-other",
        "Two actors call each other at the same time.",
        outcomes: ["1 1"],
        why: "An actor that awaits is free for calls, so there is no deadlock."
      ) {
        let (left, right) = (Room(), Room())
        await together({ await left.addTo(right) }, { await right.addTo(left) })
        return "\(await left.value) \(await right.value)"
      },
      Litmus(
        "one-messenger",
        "One task sends two messages to an actor, one after the other.",
        outcomes: ["12"],
        why: "The second is sent when the first has been answered."
      ) {
        let journal = Journal()
        await together({
          await journal.note("1")
          pause()
          await journal.note("2")
        })
        return await journal.text
      },
      Litmus(
        "two-messengers",
        "Two tasks send one message each.",
        outcomes: ["12", "21"],
        why: "The tasks start on the pool in any order."
      ) {
        let journal = Journal()
        await together({ await journal.note("1") }, { await journal.note("2") })
        return await journal.text
      },
      Litmus(
        "two-stations",
        "Two tasks write to two actors in opposite order; each actor keeps what came last.",
        outcomes: ["1 2", "2 1", "2 2"],
        why:
          "Each call is answered before the next: both actors keeping the first write would be a circle in time."
      ) {
        let (left, right) = (Cell(), Cell())
        await together(
          {
            await left.write(1)
            pause()
            await right.write(2)
          },
          {
            await right.write(1)
            pause()
            await left.write(2)
          })
        return "\(await left.value) \(await right.value)"
      },
      Litmus(
        "cache-filled-in-the-gap",
        "Two tasks ask a cache that loads, suspended, what it lacks.",
        outcomes: ["1 load", "2 loads"],
        why: "The second may find the cache still empty while the first is loading."
      ) {
        let cache = Cache()
        await together({ await cache.naive() }, { await cache.naive() })
        return await cache.summary
      },
      Litmus(
        "cache-that-shares-its-load",
        "The cache keeps the task that loads before it awaits it.",
        outcomes: ["1 load"],
        why: "Asking and keeping the task are one step."
      ) {
        let cache = Cache()
        await together({ await cache.shared() }, { await cache.shared() })
        return await cache.summary
      },
      Litmus(
        "cache-that-checks-twice",
        "The cache looks again after its load and keeps the first value.",
        outcomes: ["1 load", "2 loads"],
        why: "The second look saves the value kept, not the second load; it is never kept twice."
      ) {
        let cache = Cache()
        await together({ await cache.checkedTwice() }, { await cache.checkedTwice() })
        return await cache.fills == 1 ? cache.summary : "kept twice"
      },
    ])
}

private actor Room {
  var value = 0

  func add() { value += 1 }

  func visit(_ other: Room) async -> String {
    let before = value
    await other.addTo(self)
    return "\(before) then \(value)"
  }

  func addTo(_ other: Room) async {
    pause()
    await other.add()
  }
}

private actor Cache {
  private(set) var fills = 0
  private var loads = 0
  private var cached: Int?
  private var loading: Task<Int, Never>?

  var summary: String { loads == 1 ? "1 load" : "\(loads) loads" }

  func naive() async {
    guard cached == nil else { return }
    keep(await load())
  }

  func shared() async {
    let task = loading ?? Task { await load() }
    loading = task
    _ = await task.value
  }

  func checkedTwice() async {
    guard cached == nil else { return }
    let value = await load()
    if cached == nil { keep(value) }
  }

  private func load() async -> Int {
    loads += 1
    await Task.yield()
    return loads
  }

  private func keep(_ value: Int) {
    cached = value
    fills += 1
  }
}
