import Foundation
import Simulator
import SimulatorStrategies
import Testing

/// Work that Dispatch has looked at, and that is canceled before its first statement.
@Suite struct `Work that has begun when it is canceled` {
  private func all(_ name: String, _ body: @escaping @Sendable (QueueLog) -> Void) -> [Set<String>] {
    let program = SmallProgram(name) { _ in
      let log = QueueLog()
      body(log)
      return log.text
    }
    let (whole, searched) = program.allOutcomes(Strategies.ExhaustiveDFS())
    let (reduced, report) = program.allOutcomes(Strategies.ExhaustiveReduced())
    #expect(searched.coverage == .everySchedule && report.coverage == .everyBehavior)
    #expect(searched.violations.isEmpty && report.violations.isEmpty)
    return [whole, reduced]
  }

  @Test func `a work item runs before the cancel, or never, or after the next statement`() {
    for outcomes in all(
      "an item and its cancel",
      { log in
        let queue = DispatchQueue(label: "queue")
        let item = DispatchWorkItem { log.add("f") }
        queue.async(execute: item)
        item.cancel()
        log.add("c")
        queue.sync {}
      })
    {
      #expect(outcomes == ["fc", "c", "cf"])
    }
  }

  @Test func `a work item that has begun sees that it is canceled`() {
    for outcomes in all(
      "an item that asks",
      { log in
        let queue = DispatchQueue(label: "queue")
        nonisolated(unsafe) var item: DispatchWorkItem?
        unsafe item = DispatchWorkItem { unsafe log.add(item?.isCancelled == true ? "x" : "f") }
        unsafe item.map { queue.async(execute: $0) }
        unsafe item?.cancel()
        queue.sync {}
      })
    {
      #expect(outcomes == ["f", "x", ""])
    }
  }

  @Test func `an item that waits behind another has not begun`() {
    for outcomes in all(
      "an item behind another",
      { log in
        let queue = DispatchQueue(label: "queue")
        let go = DispatchSemaphore(value: 0)
        let item = DispatchWorkItem { log.add("f") }
        queue.async { go.wait() }
        queue.async(execute: item)
        item.cancel()
        go.signal()
        queue.sync {}
      })
    {
      #expect(outcomes == [""])
    }
  }

  @Test func `an item of the main queue has not begun: the main actor does something else before it`() {
    for outcomes in all(
      "an item of the main queue",
      { log in
        let done = DispatchSemaphore(value: 0)
        let item = DispatchWorkItem { log.add("f") }
        DispatchQueue.main.async(execute: item)
        item.cancel()
        log.add("c")
        DispatchQueue.main.async { done.signal() }
        done.wait()
      })
    {
      #expect(outcomes == ["fc", "c"])
    }
  }

  @Test func `what is notified of a canceled item may run before the next statement`() {
    for outcomes in all(
      "an item that tells",
      { log in
        let (queue, other) = (DispatchQueue(label: "queue"), DispatchQueue(label: "other"))
        let item = DispatchWorkItem {}
        item.notify(queue: other) { log.add("n") }
        queue.async(execute: item)
        item.cancel()
        log.add("m")
        queue.sync {}
        other.sync {}
      })
    {
      #expect(outcomes == ["nm", "mn"])
    }
  }

  @Test func `a timer source without a handler for events still calls that for its cancel`() {
    for outcomes in all(
      "a source without a handler",
      { log in
        let (queue, done) = (DispatchQueue(label: "queue"), DispatchSemaphore(value: 0))
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setCancelHandler {
          log.add("c")
          done.signal()
        }
        source.schedule(deadline: .now() + 1)
        source.resume()
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
        source.cancel()
        done.wait()
      })
    {
      #expect(outcomes == ["c"])
    }
  }

  @Test func `the handler of a timer source may have begun`() {
    for outcomes in all(
      "a source and its cancel at one time",
      { log in
        let (queue, done) = (DispatchQueue(label: "queue"), DispatchSemaphore(value: 0))
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { log.add("t") }
        source.setCancelHandler { done.signal() }
        source.schedule(deadline: .now() + 1)
        source.resume()
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
        source.cancel()
        log.add("c")
        done.wait()
      })
    {
      #expect(outcomes == ["tc", "c", "ct"])
    }
  }
}
