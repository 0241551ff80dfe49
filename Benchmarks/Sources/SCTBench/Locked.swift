import Simulator

extension SCTProgram {
  /// A deposit and a withdrawal under one lock, and a check that expects the wrong sum once both are done.
  static let account = SCTProgram(
    "account", threads: 4, events: 8, surw: 6, pct: 4, pos: 4, random: 18
  ) { simulation in
    struct Account {
      var balance = 1
      var isDeposited = false
      var isWithdrawn = false
    }
    let lock = Lock()
    let account = Register(Account())
    await run([
      {
        await lock.lock()
        let found = await account.read()
        if found.isDeposited, found.isWithdrawn, found.balance != -5 {
          simulation.fail("assertion", "the balance is not (x - y) - z")
        }
        await lock.unlock()
      },
      {
        await lock.lock()
        await account.update {
          $0.balance += 2
          $0.isDeposited = true
        }
        await lock.unlock()
      },
      {
        await lock.lock()
        await account.update {
          $0.balance -= 4
          $0.isWithdrawn = true
        }
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
        if await data.read() >= 3 { simulation.fail("assertion", "both came first") }
        await lock.unlock()
      },
      {
        await lock.lock()
        await data.update { $0 += 2 }
        await lock.unlock()
      },
      {
        await lock.lock()
        await data.update { $0 += 1 }
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
    struct Stack {
      var top = 0
      var flag = false
    }
    let lock = Lock()
    let stack = Register(Stack())
    await run([
      {
        for _ in 0..<10 {
          await lock.lock()
          await stack.update {
            $0.top += 1
            $0.flag = true
          }
          await lock.unlock()
        }
      },
      {
        for _ in 0..<10 {
          await lock.lock()
          let underflows = await stack.update { stack in
            guard stack.flag else { return false }
            stack.top -= 1
            return stack.top < 0
          }
          if underflows { simulation.fail("assertion", "underflow") }
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
    let buffer = Register(CircularBuffer())
    await run([
      {
        for round in 0..<7 {
          await lock.lock()
          await buffer.update { $0.send(round) }
          await lock.unlock()
        }
      },
      {
        for round in 0..<7 {
          await lock.lock()
          if let element = await buffer.update({ $0.receive() }), element != round {
            simulation.fail("assertion", "element \(element) in round \(round)")
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

  /// `writers` set one variable under its lock and then another from it under its own; `readers` expect the second to
  /// be set as soon as the first is.
  static func twostage(
    _ writers: Int, _ readers: Int, _ name: String, threads: Int, events: Int?, surw: Int, pct: Int, pos: Int,
    random: Int
  ) -> SCTProgram {
    SCTProgram(
      name, threads: threads, events: events, surw: surw, pct: pct, pos: pos, random: random
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
      await run(Array(repeating: writer, count: writers) + Array(repeating: reader, count: readers))
    }
  }
}

/// A buffer of ten elements, whose two flags say whose turn it is.
struct CircularBuffer {
  private var elements = [Int](repeating: 0, count: 10)
  private var (first, next) = (0, 0)
  private var (sends, receives) = (true, false)

  mutating func send(_ element: Int) {
    guard sends else { return }
    elements[next] = element
    next = (next + 1) % 10
    (sends, receives) = (false, true)
  }

  mutating func receive() -> Int? {
    guard receives else { return nil }
    (sends, receives) = (true, false)
    guard next > 0, first < 10 else { return -1 }
    first += 1
    return elements[first - 1]
  }
}
