import Mailing
import MailingFakes
import Simulator
import SimulatorTesting
import Testing

/// A fake of the app's own in a test.
@Suite(.simulated) struct `A careful greeter` {
  private let mailer = FakeMailer([
    "send": [
      FakeBehavior(
        delay: .between(.milliseconds(50), and: .seconds(5)), faults: [.noFault, .beforeCommit, .afterCommit]),
      FakeBehavior(delay: .milliseconds(50)),
    ]
  ])

  @Test func `never has two letters to one customer on their way`() async throws {
    let greeter = CarefulGreeter(mailer: mailer)
    let first = Task { try await greeter.welcome("Ada") }
    let second = Task { try await greeter.welcome("Ada") }
    _ = await (first.result, second.result)
    #expect(mailer.calls.inFlight.isEmpty)
    #expect(mailer.received("send").with("Welcome, Ada").atAll)
    let failed = mailer.calls.filter { $0.fault != .noFault }
    #expect(mailer.calls.count <= failed.count + 1)
  }

  @Test func `tells a cancelled customer nothing`() async throws {
    let greeter = CarefulGreeter(mailer: mailer)
    let welcome = Task { try await greeter.welcome("Ada") }
    try #require(Simulation.current).anytime("leave") { welcome.cancel() }
    if case .failure = await welcome.result, mailer.calls.first?.fault != .afterCommit {
      #expect(await mailer.outbox.isEmpty)
    }
  }
}

/// What a report shows of it.
@Suite struct `The first greeter` {
  @Test func `sends two letters, and the timeline shows the calls of the app's own fake`() throws {
    let report = explore { simulation in
      let mailer = FakeMailer(["send": [FakeBehavior(delay: .between(.milliseconds(50), and: .seconds(5)))]])
      let greeter = FirstGreeter(mailer: mailer)
      async let first: Void = greeter.welcome("Ada")
      async let second: Void = greeter.welcome("Ada")
      _ = try await (first, second)
      if mailer.calls.count > 1 { simulation.fail("one letter", "\(mailer.calls.count) letters were sent") }
    }
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == "one letter")
    let text = Explorer.Explanation(violation).description
    let heading = try #require(text.split(separator: "\n").first { $0.contains("time  ") })
    #expect(heading.contains("FakeMailer"))
    #expect(text.contains("send Welcome, Ada begins") || text.contains("send begins"))
    #expect(text.contains("sent"))
  }
}

/// The life of a call, seen through a fake that is not the simulator's.
@Suite struct `A fake of the app's own` {
  @Test func `begins a call in its caller's step and ends it on its own actor`() {
    let execution = simulate { _ in
      let mailer = FakeMailer()
      try await Task { @MainActor in try await mailer.send("hello") }.value
    }
    let trace = execution.trace
    let told = trace.events.compactMap { event -> String? in
      let domain = trace.domains[event.domain].type
      switch event.kind {
      case .began(let call): return "\(call.fake) \(call.operation) begins on \(domain)"
      case .effect(_, let effect): return "\(effect) on \(domain)"
      case .ended(_, let outcome): return "\(outcome) on \(domain)"
      default: return nil
      }
    }
    #expect(told == ["mailer send begins on MainActor", "sent on FakeMailer", "returned on FakeMailer"])
  }

  @Test func `is cancelled at once, and the trace says so`() {
    let execution = simulate { _ in
      let mailer = FakeMailer(["send": [FakeBehavior(delay: .seconds(5))]])
      let task = Task { try await mailer.send("hello") }
      try await Task.sleep(for: .seconds(2))
      task.cancel()
      _ = await task.result
      #expect(mailer.calls.map(\.outcome) == [.cancelled])
      #expect(await mailer.outbox.isEmpty)
    }
    #expect(execution.endTime.nanoseconds == 2_000_000_000)
    #expect(
      execution.trace.events.contains {
        if case .cancellation(_, let honored) = $0.kind { honored } else { false }
      })
  }

  @Test func `keeps its caller's actor closed for what an answer costs`() {
    let execution = simulate { simulation in
      let mailer = FakeMailer(["send": [FakeBehavior(spend: .seconds(1))]])
      let sending = Task { @MainActor in try await mailer.send("hello") }
      try await Task.sleep(for: .milliseconds(500))
      await MainActor.run { simulation.record(.note("the main actor is free")) }
      try await sending.value
    }
    let note = execution.trace.events.first { $0.kind == .note("the main actor is free") }
    #expect(note?.time.nanoseconds == 1_000_000_000)
  }
}
