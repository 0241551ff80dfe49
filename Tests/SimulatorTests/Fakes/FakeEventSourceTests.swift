import Simulator
import SimulatorStrategies
import Testing

@Suite struct FakeEventSourceTests {
  /// What a stream of a source brings, in every schedule of a search.
  private func brings(
    _ source: @escaping @Sendable () -> FakeEventSource<String>, schedules: Int = 300
  ) -> Set<String> {
    let program = SmallProgram("events") { _ in
      let source = source()
      let stream = source.events()
      source.start()
      var text = ""
      for await event in stream { text += event }
      return text
    }
    return program.outcomes(.portfolio, schedules: schedules).outcomes
  }

  @Test func `events come in their order, after their pauses, and the stream ends`() {
    let times = Box<[String]>([])
    let execution = simulate { simulation in
      let source = FakeEventSource(["a", "b", "c"], pauses: [.seconds(1), .seconds(2)])
      let stream = source.events()
      source.start()
      for await event in stream { times.value.append("\(event) at \(simulation.now)") }
    }
    #expect(times.value == ["a at 1 s", "b at 3 s", "c at 5 s"])
    #expect(execution.violations.isEmpty)
    #expect(execution.outcomes.count == 3)
  }

  @Test func `an event may be late and be overtaken, come twice, or be lost`() {
    let late = FakeBehavior(delay: .oneOf(.zero, .seconds(5)))
    #expect(
      brings { FakeEventSource(["a", "b"], pauses: [.seconds(1)], behaviors: [late, FakeBehavior()]) }
        == ["ab", "ba"])
    let twice = FakeBehavior(delay: .milliseconds(1), faults: [.noFault, .arrivesTwice])
    #expect(brings { FakeEventSource(["a"], behaviors: [twice]) } == ["a", "aa"])
    let lost = FakeBehavior(faults: [.noFault, .beforeCommit])
    #expect(brings { FakeEventSource(["a"], behaviors: [lost]) } == ["a", ""])
  }

  @Test func `events that are due together keep their order`() {
    #expect(brings { FakeEventSource(["a", "b", "c"]) } == ["abc"])
    let equal = FakeBehavior(delay: .seconds(1))
    #expect(brings { FakeEventSource(["a", "b"], behaviors: [equal]) } == ["ab"])
    // The first one is a second ahead, and has as much farther to go.
    let far = FakeBehavior(delay: .seconds(2))
    #expect(
      brings { FakeEventSource(["a", "b"], pauses: [.seconds(1)], behaviors: [far, equal]) } == ["ab"])
    let anyTime = FakeBehavior(delay: .between(.zero, and: .seconds(2)))
    #expect(brings { FakeEventSource(["a", "b"], behaviors: [anyTime]) } == ["ab", "ba"])
  }

  @Test func `the second time is another delay later, and only over a connection`() {
    let times = Box<[String]>([])
    func listen(_ connection: @escaping @Sendable () -> FakeConnection) {
      times.value = []
      _ = simulate { simulation in
        let source = FakeEventSource(
          ["a"],
          behaviors: [
            FakeBehavior(delay: .milliseconds(1_500), faults: [.arrivesTwice], connection: connection())
          ])
        let stream = source.events()
        source.start()
        for await _ in stream { times.value.append("\(simulation.now)") }
      }
    }
    listen { .up }
    #expect(times.value == ["1.5 s", "3 s"])
    listen { .offline(from: .seconds(2), for: .seconds(10)) }
    #expect(times.value == ["1.5 s"])
  }

  @Test func `what one subscription does may cancel another, and a source that was stopped does not start`() {
    let came = Box<[String]>([])
    _ = simulate { _ in
      let source = FakeEventSource(["a"])
      let second = Box<FakeEventSource<String>.Subscription?>(nil)
      source.subscribe { _ in second.value?.cancel() }
      second.value = source.subscribe { came.value.append($0) }
      source.start()
      try await Task.sleep(for: .seconds(1))
      let stopped = FakeEventSource(["b"])
      stopped.subscribe { came.value.append($0) }
      stopped.stop()
      stopped.start()
      try await Task.sleep(for: .seconds(1))
    }
    #expect(came.value == [])
  }

  @Test func `nothing occurs once a source is stopped, also at the instant of an event`() {
    let program = SmallProgram("stopped in time") { _ in
      let source = FakeEventSource(["a"], pauses: [.seconds(1)])
      let count = Box(0)
      source.subscribe { _ in count.value += 1 }
      source.start()
      try? await Task.sleep(for: .seconds(1))
      source.stop()
      let before = source.calls.count
      try? await Task.sleep(for: .seconds(1))
      return source.calls.count == before ? "stopped" : "occurred after it was stopped"
    }
    #expect(program.outcomes(.portfolio, schedules: 300).outcomes == ["stopped"])
  }

  @Test func `what arrives where nothing listens is lost`() {
    let came = Box<[String]>([])
    _ = simulate { _ in
      let source = FakeEventSource(["a", "b"], pauses: [.seconds(1)])
      source.start()
      try await Task.sleep(for: .milliseconds(1_500))
      for await event in source.events() { came.value.append(event) }
    }
    #expect(came.value == ["b"])
  }

  @Test(arguments: [false, true])
  func `after a cancel an event arrives only if it was on its way and ignores that`(ignores: Bool) {
    let came = Box<[String]>([])
    _ = simulate { _ in
      let source = FakeEventSource(
        ["a", "b", "c"], pauses: [.seconds(1)],
        behaviors: [FakeBehavior(delay: .milliseconds(700), ignoresCancellation: [ignores])])
      let subscription = source.subscribe { came.value.append($0) }
      source.start()
      try await Task.sleep(for: .milliseconds(2_200))
      subscription.cancel()
      try await Task.sleep(for: .seconds(5))
    }
    #expect(came.value == (ignores ? ["a", "b"] : ["a"]))
  }

  @Test func `a source that is stopped lets no more events occur`() {
    let came = Box<[String]>([])
    _ = simulate { _ in
      let source = FakeEventSource(
        ["a", "b"], pauses: [.seconds(1)], behaviors: [FakeBehavior(delay: .milliseconds(500))])
      let stream = source.events()
      source.start()
      Task {
        try await Task.sleep(for: .milliseconds(1_200))
        source.stop()
      }
      for await event in stream { came.value.append(event) }
    }
    #expect(came.value == ["a"])
  }

  @Test func `a source that is never at its end keeps its streams open`() {
    let report = explore(schedules: 5) { _ in
      let source = FakeEventSource(["a"], ends: false)
      let stream = source.events()
      source.start()
      for await _ in stream {}
    }
    #expect(report.violations.map(\.invariant) == ["deadlock"])
  }

  @Test func `a push that comes before anything listens is found lost`() {
    let report = explore(schedules: 200) { simulation in
      let source = FakeEventSource(["news"], pauses: [.between(.zero, and: .seconds(2))])
      source.start()
      try await Task.sleep(for: .seconds(1))
      var came = 0
      for await _ in source.events() { came += 1 }
      if came == 0 { simulation.fail("heard", "the push was lost") }
    }
    #expect(report.violations.map(\.invariant) == ["heard"])
  }

  @Test func `outside a simulation it works too`() async {
    let source = FakeEventSource([1, 2, 3], pauses: [.milliseconds(1)])
    let stream = source.events()
    source.start()
    var sum = 0
    for await number in stream { sum += number }
    #expect(sum == 6)
    #expect(source.received("event").times(3))
  }
}
