import Simulator

extension SCTProgram {
  /// A driver that is stopped while a request is on its way in.
  static let bluetooth = SCTProgram(
    "bluetooth", threads: 2, events: 13, surw: 70, pct: 112, pos: 36, random: 215
  ) { simulation in
    let pending = Register(1)
    let (isStopping, event, isStopped) = (Register(false), Register(false), Register(false))
    @concurrent @Sendable func leave() async {
      let left = await pending.update { count in
        count -= 1
        return count
      }
      if left == 0 { await event.write(true) }
    }
    await run([
      {
        await isStopping.write(true)
        await leave()
        if await event.read() { await isStopped.write(true) }
      },
      {
        if await !isStopping.read() {
          await pending.update { $0 += 1 }
          if await isStopped.read() { simulation.fail("assertion", "the driver is stopped") }
        }
        await leave()
      },
    ])
  }

  /// Three atomic assignments around a ring, and a check that all are equal once all are done.
  static let tokenRing = SCTProgram(
    "token_ring", threads: 5, events: 11, surw: 8, pct: 8, pos: 9, random: 13
  ) { simulation in
    struct Ring {
      var (x1, x2, x3) = (1, 2, 1)
      var done = 0
    }
    let ring = Register(Ring())
    await run([
      {
        await ring.update {
          $0.x1 = ($0.x3 + 1) % 4
          $0.done += 1
        }
      },
      {
        await ring.update {
          $0.x2 = $0.x1
          $0.done += 1
        }
      },
      {
        await ring.update {
          $0.x3 = $0.x2
          $0.done += 1
        }
      },
      {
        let found = await ring.read()
        if found.done == 3, found.x1 != found.x2 || found.x2 != found.x3 {
          simulation.fail("assertion", "not equal")
        }
      },
    ])
  }

  /// `setters` write one variable and then another; a checker must never see only the first written.
  static func reorder(
    _ setters: Int, threads: Int, events: Int?, surw: Int, pct: Int, pos: Int, random: Int
  ) -> SCTProgram {
    SCTProgram(
      "reorder_\(setters + 1)", threads: threads, events: events, surw: surw, pct: pct, pos: pos,
      random: random
    ) { simulation in
      let (a, b) = (Register(0), Register(0))
      let setter: Thread = {
        await a.write(1)
        await b.write(-1)
      }
      let checker: Thread = {
        if await a.read() == 0, await b.read() == 0 { return }
        if await a.read() == 1, await b.read() == -1 { return }
        simulation.fail("assertion", "only one is written")
      }
      await run(Array(repeating: setter, count: setters) + [checker])
    }
  }

  /// Appending a buffer to another asks for its length and then for so many characters, which have gone meanwhile.
  static let stringBuffer = SCTProgram(
    "stringbuffer", threads: 2, events: 10, surw: 8, pct: 281, pos: 23, random: 2243
  ) { simulation in
    let lock = Lock()
    let count = Register(3)
    await run([
      {
        await lock.lock()
        await count.write(0)
        await lock.unlock()
        await lock.lock()
        await count.write(await count.read() + 3)
        await lock.unlock()
      },
      {
        await lock.lock()
        let length = await count.read()
        await lock.unlock()
        await lock.lock()
        if length > (await count.read()) { simulation.fail("assertion", "beyond the end") }
        await lock.unlock()
      },
    ])
  }
}
