import Simulator

extension SCTProgram {
  /// A deposit and a withdrawal under one lock, and a check that expects the wrong sum once both are done.
  static let account = SCTProgram(
    "account", threads: 4, events: 8, surw: 6, pct: 4, pos: 4, random: 18
  ) { simulation in
    let lock = Lock()
    let balance = Register(1)
    let (deposited, withdrawn) = (Register(false), Register(false))
    await run([
      {
        await lock.lock()
        if await deposited.read(), await withdrawn.read(), await balance.read() != -5 {
          simulation.fail("assertion", "the balance is not (x - y) - z")
        }
        await lock.unlock()
      },
      {
        await lock.lock()
        await balance.write(await balance.read() + 2)
        await deposited.write(true)
        await lock.unlock()
      },
      {
        await lock.lock()
        await balance.write(await balance.read() - 4)
        await withdrawn.write(true)
        await lock.unlock()
      },
    ])
  }

  /// One adds 1, one adds 2, and one finds it wrong that both came before it; all under one lock.
  static let lazy01 = SCTProgram(
    "lazy01", threads: 4, events: 11, surw: 2, pct: 5, pos: 5, random: 21
  ) { simulation in
    let lock = Lock()
    let data = Register(0)
    await run([
      {
        await lock.lock()
        await data.write(await data.read() + 1)
        await lock.unlock()
      },
      {
        await lock.lock()
        await data.write(await data.read() + 2)
        await lock.unlock()
      },
      {
        await lock.lock()
        if await data.read() >= 3 { simulation.fail("assertion", "both came first") }
        await lock.unlock()
      },
    ])
  }

  /// Two locks taken in opposite orders.
  static let deadlock01 = SCTProgram(
    "deadlock01", threads: 3, events: 11, surw: 2, pct: 13, pos: 4, random: 3
  ) { _ in
    let (first, second) = (Lock(), Lock())
    let counter = Register(0)
    @concurrent @Sendable func work(_ outer: Lock, _ inner: Lock) async {
      await outer.lock()
      await inner.lock()
      await counter.write(await counter.read() + 1)
      await inner.unlock()
      await outer.unlock()
    }
    await run([{ await work(first, second) }, { await work(second, first) }])
  }

  /// A writer of ten elements and a reader that assumes that one which has come once is always there.
  static let stack = SCTProgram(
    "stack", threads: 3, events: 43, surw: 5, pct: 3, pos: 2, random: 176
  ) { simulation in
    let lock = Lock()
    let top = Register(0)
    let flag = Register(false)
    await run([
      {
        for _ in 0..<10 {
          await lock.lock()
          await top.write(await top.read() + 1)
          await flag.write(true)
          await lock.unlock()
        }
      },
      {
        for _ in 0..<10 {
          await lock.lock()
          if await flag.read() {
            let height = await top.read()
            if height == 0 { simulation.fail("assertion", "underflow") } else { await top.write(height - 1) }
          }
          await lock.unlock()
        }
      },
    ])
  }

  /// A sender and a receiver that take turns by two flags; the receiver expects the i-th element in its i-th round,
  /// whether or not it was its turn before.
  static let circularBuffer = SCTProgram(
    "circular_buffer", threads: 3, events: 31, surw: 3, pct: 9, pos: 2, random: 4
  ) { simulation in
    let lock = Lock()
    let (sends, receives) = (Register(true), Register(false))
    let (first, next) = (Register(0), Register(0))
    let buffer = Register([Int](repeating: 0, count: 10))
    await run([
      {
        for round in 0..<7 {
          await lock.lock()
          if await sends.read() {
            let place = await next.read()
            await buffer.update { $0[place] = round }
            await next.write((place + 1) % 10)
            await sends.write(false)
            await receives.write(true)
          }
          await lock.unlock()
        }
      },
      {
        for round in 0..<7 {
          await lock.lock()
          if await receives.read() {
            let place = await first.read()
            let element = await next.read() > 0 && place < 10 ? await buffer.read()[place] : -1
            if element >= 0 { await first.write(place + 1) }
            if element != round { simulation.fail("assertion", "element \(element) in round \(round)") }
            await receives.write(false)
            await sends.write(true)
          }
          await lock.unlock()
        }
      },
    ])
  }

  /// One checks its own increment under a lock; `others` increment under another lock.
  static func wronglock(
    _ others: Int, threads: Int, events: Int, surw: Int, pct: Int, pos: Int, random: Int
  ) -> SCTProgram {
    SCTProgram(
      others == 3 ? "wronglock_3" : "wronglock", threads: threads, events: events, surw: surw, pct: pct,
      pos: pos, random: random
    ) { simulation in
      let (dataLock, thisLock) = (Lock(), Lock())
      let data = Register(0)
      let checker: Thread = {
        await dataLock.lock()
        let before = await data.read()
        await data.write(await data.read() + 1)
        if await data.read() != before + 1 { simulation.fail("assertion", "somebody else wrote") }
        await dataLock.unlock()
      }
      let other: Thread = {
        await thisLock.lock()
        await data.write(await data.read() + 1)
        await thisLock.unlock()
      }
      await run([checker] + Array(repeating: other, count: others))
    }
  }

  /// `writers` set one variable under its lock and then another from it under its own; a reader expects the second to
  /// be set as soon as the first is.
  static func twostage(
    _ writers: Int, threads: Int, events: Int?, surw: Int, pct: Int, pos: Int, random: Int
  ) -> SCTProgram {
    SCTProgram(
      writers == 1 ? "twostage" : "twostage_\(writers + 1)", threads: threads, events: events, surw: surw,
      pct: pct, pos: pos, random: random
    ) { simulation in
      let (lock1, lock2) = (Lock(), Lock())
      let (data1, data2) = (Register(0), Register(0))
      let writer: Thread = {
        await lock1.lock()
        await data1.write(1)
        await lock1.unlock()
        await lock2.lock()
        await data2.write(await data1.read() + 1)
        await lock2.unlock()
      }
      let reader: Thread = {
        await lock1.lock()
        let first = await data1.read()
        await lock1.unlock()
        guard first != 0 else { return }
        await lock2.lock()
        let second = await data2.read()
        await lock2.unlock()
        if second != first + 1 { simulation.fail("assertion", "the second is not set") }
      }
      await run(Array(repeating: writer, count: writers) + [reader])
    }
  }
}
