import PosixLock
import Simulator

// The bugs that the order of critical sections shows, and those of two locks.

extension SCTProgram {
  /// A deposit and a withdrawal under one lock, and a check that expects the wrong sum once both are done.
  static let accountOfThreads = account.ofThreads { simulation in
    struct Account {
      var balance = 1
      var (isDeposited, isWithdrawn) = (false, false)
    }
    let lock = ThreadLock()
    let account = Guarded(Account())
    await runThreads([
      {
        lock.withLock {
          let found = account.value
          if found.isDeposited, found.isWithdrawn, found.balance != -5 {
            simulation.fail("assertion", "the balance is not (x - y) - z")
          }
        }
      },
      {
        lock.withLock {
          account.value.balance += 2
          account.value.isDeposited = true
        }
      },
      {
        lock.withLock {
          account.value.balance -= 4
          account.value.isWithdrawn = true
        }
      },
    ])
  }

  /// One adds 1, one adds 2, and one finds it wrong that both came before it; all under one lock.
  static let lazy01OfThreads = lazy01.ofThreads { simulation in
    let lock = ThreadLock()
    let data = Guarded(0)
    await runThreads([
      { lock.withLock { if data.value >= 3 { simulation.fail("assertion", "both came first") } } },
      { lock.withLock { data.value += 2 } },
      { lock.withLock { data.value += 1 } },
    ])
  }

  /// Two locks taken in opposite orders.
  static let deadlock01OfThreads = deadlock01.ofThreads { _ in
    let (first, second) = (ThreadLock(), ThreadLock())
    let counter = Guarded(0)
    @Sendable func work(_ outer: ThreadLock, _ inner: ThreadLock) {
      outer.withLock { inner.withLock { counter.value += 1 } }
    }
    await runThreads([{ work(first, second) }, { work(second, first) }])
  }

  /// A writer of ten elements and a reader that assumes that one which has come once is always there.
  static let stackOfThreads = stack.ofThreads { simulation in
    struct Stack {
      var top = 0
      var flag = false
    }
    let lock = ThreadLock()
    let stack = Guarded(Stack())
    await runThreads([
      {
        for _ in 0..<10 {
          lock.withLock {
            stack.value.top += 1
            stack.value.flag = true
          }
        }
      },
      {
        for _ in 0..<10 {
          lock.withLock {
            guard stack.value.flag else { return }
            stack.value.top -= 1
            if stack.value.top < 0 { simulation.fail("assertion", "underflow") }
          }
        }
      },
    ])
  }

  /// A sender and a receiver that take turns by two flags; the receiver expects the i-th element in its i-th round,
  /// whether or not it was its turn before.
  static let circularBufferOfThreads = circularBuffer.ofThreads { simulation in
    let lock = ThreadLock()
    let buffer = Guarded(CircularBuffer())
    await runThreads([
      { for round in 0..<7 { lock.withLock { buffer.value.send(round) } } },
      {
        for round in 0..<7 {
          lock.withLock {
            guard let element = buffer.value.receive(), element != round else { return }
            simulation.fail("assertion", "element \(element) in round \(round)")
          }
        }
      },
    ])
  }

  /// Three assignments around a ring, each under the one lock, and a check that all are equal once all are done.
  static let tokenRingOfThreads = tokenRing.ofThreads { simulation in
    struct Ring {
      var (x1, x2, x3) = (1, 2, 1)
      var done = 0
    }
    let lock = ThreadLock()
    let ring = Guarded(Ring())
    @Sendable func assign(_ change: (inout Ring) -> Void) {
      lock.withLock {
        change(&ring.value)
        ring.value.done += 1
      }
    }
    await runThreads([
      { assign { $0.x1 = ($0.x3 + 1) % 4 } },
      { assign { $0.x2 = $0.x1 } },
      { assign { $0.x3 = $0.x2 } },
      {
        lock.withLock {
          let found = ring.value
          guard found.done == 3, found.x1 != found.x2 || found.x2 != found.x3 else { return }
          simulation.fail("assertion", "not equal")
        }
      },
    ])
  }

  /// Appending a buffer to another asks for its length and then for so many characters, which have gone meanwhile. Each
  /// takes the other buffer's lock, with its own in hand.
  static let stringBufferOfThreads = stringBuffer.ofThreads { simulation in
    let (own, others) = (ThreadLock(), ThreadLock())
    let count = Guarded(3)
    let other: @Sendable () -> Void = {
      others.withLock { count.value = 0 }
      others.withLock { count.value += 3 }
    }
    await runThreads([other]) {
      own.withLock {
        let length = others.withLock { count.value }
        others.withLock { if length > count.value { simulation.fail("assertion", "beyond the end") } }
      }
    }
  }
}
