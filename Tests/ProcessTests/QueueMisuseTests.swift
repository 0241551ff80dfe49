import Dispatch
import Glibc
import Simulator
import Testing

/// Dispatch ends the process where a queue or a source is misused, and so does a simulation, at the same place.
@Suite struct `A simulation ends as the process would` {
  @Test func `where a queue is resumed more often than it was suspended`() async throws {
    let result = try await #require(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = explore("misuse") { _ in
        let queue = DispatchQueue(label: "queue")
        queue.suspend()
        queue.resume()
        queue.resume()
      }
    }
    #expect(says(result, "Over-resume of an object"))
  }

  @Test func `where a source is`() async throws {
    let result = try await #require(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = explore("misuse") { _ in
        let timer = DispatchSource.makeTimerSource()
        timer.resume()
        timer.resume()
      }
    }
    #expect(says(result, "Over-resume of an object"))
  }

  @Test func `where a suspended queue is released`() async throws {
    let result = try await #require(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = explore("misuse") { _ in DispatchQueue(label: "queue").suspend() }
    }
    #expect(says(result, "Release of a suspended or inactive object"))
  }

  @Test func `where a queue is released that has work and has not begun`() async throws {
    let result = try await #require(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = explore("misuse") { _ in DispatchQueue(label: "queue", attributes: .initiallyInactive).async {} }
    }
    #expect(says(result, "Release of a suspended or inactive object"))
  }

  @Test func `where a source is released that is suspended, or has not begun`() async throws {
    let suspended = try await #require(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent])
    {
      _ = explore("misuse") { _ in
        let timer = DispatchSource.makeTimerSource()
        timer.resume()
        timer.suspend()
      }
    }
    #expect(says(suspended, "Release of a suspended or inactive object"))
    let inactive = try await #require(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent])
    {
      _ = explore("misuse") { _ in DispatchSource.makeTimerSource().setEventHandler {} }
    }
    #expect(says(inactive, "Release of a suspended or inactive object"))
  }

  @Test func `and goes on where it would`() async throws {
    await #expect(processExitsWith: .success) {
      let report = explore("use") { _ in
        let queue = DispatchQueue(label: "queue", attributes: .initiallyInactive)
        queue.suspend()
        queue.activate()
        queue.resume()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.suspend()
        timer.resume()
        timer.activate()
        timer.activate()
        (timer as? DispatchSource)?.setTarget(queue: .global())
        DispatchQueue.main.suspend()
        DispatchQueue.main.resume()
      }
      precondition(report.violations.isEmpty)
    }
  }

  private func says(_ result: ExitTest.Result, _ sentence: String) -> Bool {
    String(decoding: result.standardErrorContent, as: UTF8.self).contains(sentence)
  }
}
