import Simulator
import Testing

@Suite struct FakeTokenServiceTests {
  @Test func `a token is good until its lifetime is over, in virtual time`() {
    let isAccepted = Box<[Bool]>([])
    let execution = simulate { _ in
      let tokens = FakeTokenService(delay: .seconds(1), lifetime: .seconds(5))
      let token = try await tokens.refresh().text
      isAccepted.value.append(tokens.accepts(token))
      try await Task.sleep(for: .milliseconds(4_999))
      isAccepted.value.append(tokens.accepts(token))
      try await Task.sleep(for: .milliseconds(1))
      isAccepted.value.append(tokens.accepts(token))
    }
    #expect(isAccepted.value == [true, true, false])
    #expect(execution.endTime.nanoseconds == 6_000_000_000)
    #expect(execution.outcomes == [.returned("token 1")])
  }

  @Test func `every token is another, and an older one stays good`() {
    let texts = Box<[String]>([])
    _ = simulate { _ in
      let tokens = FakeTokenService(lifetime: .seconds(5))
      let first = tokens.issue()
      texts.value = [first.text, try await tokens.refresh().text]
      #expect(tokens.accepts(first.text))
    }
    #expect(texts.value == ["token 1", "token 2"])
  }

  @Test func `a token can be issued without a call, for a time of its own`() {
    let execution = simulate { _ in
      let tokens = FakeTokenService(lifetime: .seconds(60))
      let token = tokens.issue(for: .seconds(1))
      try await Task.sleep(for: .seconds(1))
      #expect(!tokens.accepts(token.text))
    }
    #expect(execution.outcomes.isEmpty)
  }

  @Test func `what was never issued is not accepted`() {
    _ = simulate { _ in #expect(!FakeTokenService(lifetime: .seconds(1)).accepts("token 1")) }
  }

  @Test func `a call shows that its token has expired, and how long ago`() {
    let shown = Box<[Trace.Value]>([])
    _ = simulate { _ in
      let tokens = FakeTokenService(lifetime: .seconds(1))
      let token = tokens.issue().text
      shown.value.append(tokens.traceValue(of: token))
      try await Task.sleep(for: .milliseconds(1_200))
      shown.value.append(tokens.traceValue(of: token))
    }
    #expect(shown.value.map(\.description) == ["token: token 1", "token: token 1, expired: 200 ms ago"])
  }

  @Test(arguments: [
    (Schedule.natural, Trace.Outcome.returned("token 1")), (.only(0, 1, of: 2), .threw("offline")),
  ])
  func `alternative replies are a choice on the tape`(schedule: Schedule, outcome: Trace.Outcome) {
    let execution = simulate(schedule) { _ in
      _ = try? await FakeTokenService(replies: [.ok(), .offline], lifetime: .seconds(1)).refresh()
    }
    #expect(execution.choices.map(\.kind) == [.alternative])
    #expect(execution.outcomes == [outcome])
  }

  @Test(arguments: [(FakeFault.beforeCommit, "token 1"), (.afterCommit, "token 2")])
  func `a fault strikes before or after a token was issued`(fault: FakeFault, next: String) {
    let text = Box("")
    _ = simulate { _ in
      let tokens = FakeTokenService(faults: [fault], lifetime: .seconds(1))
      await #expect(throws: InjectedFault.self) { try await tokens.refresh() }
      text.value = tokens.issue().text
    }
    #expect(text.value == next)
  }

  @Test func `a cancelled refresh ends at once, and issues nothing`() {
    let text = Box("")
    let execution = simulate { _ in
      let tokens = FakeTokenService(delay: .seconds(5), lifetime: .seconds(1))
      let task = Task { try await tokens.refresh() }
      try await Task.sleep(for: .seconds(1))
      task.cancel()
      _ = await task.result
      text.value = tokens.issue().text
    }
    #expect(execution.outcomes == [.cancelled])
    #expect(execution.endTime.nanoseconds == 1_000_000_000)
    #expect(text.value == "token 1")
  }

  @Test func `outside a simulation real time passes`() async throws {
    let tokens = FakeTokenService(lifetime: .milliseconds(20))
    let token = try await tokens.refresh()
    try await Task.sleep(for: .milliseconds(30))
    #expect(!tokens.accepts(token.text))
    #expect(tokens.calls.map(\.outcome) == [.returned("token 1")])
  }
}
