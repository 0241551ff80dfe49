import Dispatch
import Foundation
import Simulator
import SimulatorStrategies
import Testing

/// What is due on one serial queue at one instant.
@Suite struct `Ties of one queue` {
  /// Expects exactly these outcomes of a program: from a thousand schedules of the default strategy, and from searches that end.
  private func check(
    _ expected: Set<String>, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (DispatchQueue, QueueNotes) async -> Void
  ) {
    let program = SmallProgram("tie") { _ in
      let notes = QueueNotes()
      await body(DispatchQueue(label: "serial"), notes)
      return await notes.text
    }
    #expect(
      program.outcomes(.portfolio, schedules: 1_000).outcomes == expected, sourceLocation: sourceLocation)
    for strategy: any SchedulingStrategy in [.reduced, .exhaustive] {
      let (outcomes, report) = program.outcomes(strategy)
      #expect(outcomes == expected, sourceLocation: sourceLocation)
      #expect(report.coverage != nil, sourceLocation: sourceLocation)
    }
  }

  @Test func `a time of the calendar and one of the other clock come in either order`() {
    check(["12", "21"]) { queue, notes in
      notes.expect(2)
      queue.asyncAfter(wallDeadline: .now() + .milliseconds(5)) { notes.note("1") }
      queue.asyncAfter(deadline: .now() + .milliseconds(5)) { notes.note("2") }
    }
  }

  @Test func `the same value comes in either order`() {
    check(["12", "21"]) { queue, notes in
      notes.expect(2)
      let time = DispatchTime.now() + .milliseconds(5)
      queue.asyncAfter(deadline: time) { notes.note("1") }
      queue.asyncAfter(deadline: time) { notes.note("2") }
    }
  }

  @Test func `the same value for three comes in every order`() {
    check(["123", "132", "213", "231", "312", "321"]) { queue, notes in
      notes.expect(3)
      let time = DispatchTime.now() + .milliseconds(5)
      for number in 1...3 { queue.asyncAfter(deadline: time) { notes.note("\(number)") } }
    }
  }

  @Test func `times from one reading of the clock after the other keep their order`() {
    check(["123"]) { queue, notes in
      notes.expect(3)
      for number in 1...3 {
        queue.asyncAfter(deadline: .now() + .milliseconds(5)) { notes.note("\(number)") }
      }
    }
    check(["12"]) { queue, notes in
      notes.expect(2)
      for number in 1...2 {
        queue.asyncAfter(wallDeadline: .now() + .milliseconds(5)) { notes.note("\(number)") }
      }
    }
  }

  /// In virtual time, the readings are equal. In reality, the second one is later.
  @Test func `times from two readings keep their order, whenever they are used`() {
    check(["12"]) { queue, notes in
      notes.expect(2)
      let times = (1...2).map { _ in DispatchTime.now() + .milliseconds(5) }
      for (number, time) in zip(1...2, times) {
        queue.asyncAfter(deadline: time) { notes.note("\(number)") }
      }
    }
    check(["12"]) { queue, notes in
      notes.expect(2)
      let time = DispatchTime.now() + .milliseconds(5)
      try? await Task.sleep(for: .milliseconds(2))
      queue.asyncAfter(deadline: time) { notes.note("1") }
      queue.asyncAfter(deadline: .now() + .milliseconds(3)) { notes.note("2") }
    }
  }

  @Test func `a time that was set at an earlier instant comes first`() {
    check(["12"]) { queue, notes in
      notes.expect(2)
      queue.asyncAfter(deadline: .now() + .milliseconds(5)) { notes.note("1") }
      try? await Task.sleep(for: .milliseconds(2))
      queue.asyncAfter(deadline: .now() + .milliseconds(3)) { notes.note("2") }
    }
  }

  @Test(arguments: [true, false])
  func `timer sources with one time come in either order, and in theirs if each has read the clock`(
    _ isOneValue: Bool
  ) {
    check(isOneValue ? ["12", "21"] : ["12"]) { queue, notes in
      notes.expect(2)
      let time = DispatchTime.now() + .milliseconds(5)
      let timers = (1...2).map { number in
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: isOneValue ? time : .now() + .milliseconds(5))
        timer.setEventHandler { notes.note("\(number)") }
        timer.resume()
        return timer
      }
      _ = await notes.text
      for timer in timers { timer.cancel() }
    }
  }

  @Test func `timer sources that repeat keep their order at each instant`() {
    check(["1212"]) { queue, notes in
      notes.expect(4)
      let timers = (1...2).map { number in
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(5), repeating: .milliseconds(5))
        timer.setEventHandler { notes.note("\(number)") }
        timer.resume()
        return timer
      }
      _ = await notes.text
      for timer in timers { timer.cancel() }
    }
  }
}

/// Notes made on a queue, and a stream that ends with the last one.
private final class QueueNotes: @unchecked Sendable {
  // @unchecked Sendable because only the serial queue changes the text, and only before the stream ends.
  private var all = ""
  private var count = 0
  private let (stream, continuation) = AsyncStream.makeStream(of: Never.self)

  func expect(_ count: Int) { self.count = count }

  func note(_ note: String) {
    all += note
    if all.count == count { continuation.finish() }
  }

  var text: String {
    get async {
      for await _ in stream {}
      return all
    }
  }
}
