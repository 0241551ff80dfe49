import Foundation

extension Twins {
  /// What comes when its time has come.
  static let timers: [Twins] = [
    Twins("a delayed block begins after its submission") { total in
      let queue = DispatchQueue(label: "q")
      await called { done in
        total.add()
        queue.asyncAfter(deadline: .now() + 1) {
          total.add()
          done()
        }
      }
    } racy: { total in
      let queue = DispatchQueue(label: "q")
      queue.asyncAfter(deadline: .now() + 1) { total.add() }
      try? await Task.sleep(for: .seconds(1))
      total.add()
      await drained(queue)
    },
    Twins("two delayed blocks") { total in
      let queue = DispatchQueue(label: "q")
      let start = DispatchTime.now()
      for _ in 0..<2 { queue.asyncAfter(deadline: start + 1) { total.add() } }
      try? await Task.sleep(for: .seconds(2))
      await drained(queue)
    } racy: { total in
      let queues = [DispatchQueue(label: "a"), DispatchQueue(label: "b")]
      let start = DispatchTime.now()
      for queue in queues { queue.asyncAfter(deadline: start + 1) { total.add() } }
      try? await Task.sleep(for: .seconds(2))
      await drained(queues)
    },
    Twins("a timer source is resumed before its handler runs") { total in
      let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .now() + 1)
      await called { done in
        timer.setEventHandler {
          total.add()
          done()
        }
        total.add()
        timer.resume()
      }
      timer.cancel()
    } racy: { total in
      let timer = DispatchSource.makeTimerSource(queue: .global())
      await called { done in
        timer.schedule(deadline: .now())
        timer.setEventHandler {
          total.add()
          done()
        }
        timer.resume()
        total.add()
      }
      timer.cancel()
    },
    Twins("the handler of a timer source is set before it runs") { total in
      let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .now() + 1)
      timer.resume()
      await called { done in
        total.add()
        timer.setEventHandler {
          total.add()
          done()
        }
      }
      timer.cancel()
    } racy: { total in
      let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .now() + 1)
      timer.resume()
      await called { done in
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { total.add() }
        timer.setEventHandler {
          total.add()
          done()
        }
      }
      timer.cancel()
    },
    Twins("a handler of a timer source, and the next") { total in
      let ticker = Ticker(total)
      try? await Task.sleep(for: .milliseconds(25))
      ticker.timer.cancel()
    } racy: { total in
      let (first, second) = (Ticker(total), Ticker(total))
      try? await Task.sleep(for: .milliseconds(25))
      first.timer.cancel()
      second.timer.cancel()
    },
    Twins("a handler that a cancel does not interrupt") { total in
      nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .now() + 1)
      timer.setEventHandler {
        DispatchQueue.global().async {}
        total.add()
      }
      await called { done in
        timer.setCancelHandler {
          total.add()
          done()
        }
        timer.resume()
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { timer.cancel() }
      }
    } racy: { total in
      nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .now() + 1)
      timer.setEventHandler { total.add() }
      timer.resume()
      await called { done in
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
          timer.cancel()
          total.add()
          done()
        }
      }
    },
    Twins("the handler of a cancel") { total in
      nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .now(), repeating: 1)
      timer.setEventHandler { total.add() }
      timer.resume()
      try? await Task.sleep(for: .milliseconds(1))
      await called { done in
        timer.setCancelHandler {
          total.add()
          done()
        }
        timer.cancel()
      }
      total.add()
    } racy: { total in
      let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .distantFuture)
      timer.resume()
      await called { done in
        timer.setCancelHandler {
          total.add()
          done()
        }
        timer.cancel()
        total.add()
      }
    },
  ]
}

/// Counts every 10 ms, on no queue of its own.
private final class Ticker: @unchecked Sendable {
  let timer: any DispatchSourceTimer

  init(_ total: Total) {
    timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now(), repeating: .milliseconds(10))
    timer.setEventHandler { total.add() }
    timer.resume()
  }
}
