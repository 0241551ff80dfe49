import Foundation
import Simulator
import Synchronization
import Testing

/// What Dispatch does with the events of a timer source, as programs on the real runtime have shown.
@Suite struct `Timer sources` {
  /// What a handler found in `data`, call by call.
  private final class Calls: Sendable {
    private let data = Mutex<[UInt]>([])
    func note(_ value: UInt) { data.withLock { $0.append(value) } }
    var all: [UInt] { data.withLock { $0 } }
  }

  private func check(
    _ expected: [UInt], sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (DispatchQueue, any DispatchSourceTimer) async -> Void
  ) {
    let found = outcomes(sourceLocation: sourceLocation) { _ in
      let (calls, queue) = (Calls(), DispatchQueue(label: "q"))
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { calls.note(timer.data) }
      await body(queue, timer)
      await Self.pass(20)
      timer.cancel()
      return calls.all
    }
    #expect(found == [expected], sourceLocation: sourceLocation)
  }

  private static func pass(_ milliseconds: Int) async {
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }

  @Test func `forget what has happened when they are set anew`() {
    check([]) { queue, timer in
      timer.schedule(deadline: .now() + .milliseconds(1))
      queue.suspend()
      timer.resume()
      await Self.pass(10)
      timer.schedule(deadline: .distantFuture)
      queue.resume()
    }
  }

  @Test func `keep an event that their handler was not called for while they are suspended`() {
    check([1]) { queue, timer in
      timer.schedule(deadline: .now() + .milliseconds(1))
      queue.suspend()
      timer.resume()
      await Self.pass(10)
      timer.suspend()
      queue.resume()
      await Self.pass(5)
      timer.resume()
    }
  }

  @Test func `fire when they are resumed if they were due before`() {
    check([1]) { _, timer in
      timer.schedule(deadline: .now() + .milliseconds(1))
      timer.resume()
      timer.suspend()
      await Self.pass(10)
      timer.resume()
    }
  }

  @Test func `keep no event for a handler that is set later`() {
    check([]) { _, timer in
      timer.setEventHandler(handler: nil)
      timer.schedule(deadline: .now() + .milliseconds(1))
      timer.resume()
      await Self.pass(10)
      timer.setEventHandler { Issue.record("the event was before the handler") }
    }
  }

  @Test func `call their handler once for all events that were due while they were suspended`() {
    check([1, 10]) { _, timer in
      timer.schedule(deadline: .now(), repeating: .milliseconds(50))
      timer.resume()
      await Self.pass(10)
      timer.suspend()
      await Self.pass(500)
      timer.resume()
    }
  }

  @Test func `count a million events at once`() {
    let found = outcomes { _ in
      let calls = Calls()
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q"))
      timer.schedule(deadline: .now(), repeating: .microseconds(1))
      timer.setEventHandler {
        calls.note(timer.data)
        timer.cancel()
      }
      await Self.pass(1_000)
      timer.resume()
      await Self.pass(1)
      return calls.all
    }
    #expect(found == [[1_000_001]])
  }
}
