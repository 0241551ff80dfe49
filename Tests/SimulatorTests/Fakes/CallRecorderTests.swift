import Simulator
import SimulatorStrategies
import Testing

/// What a fake is written with. What a call of a whole fake is like is told by the tests of each fake.
@Suite struct CallRecorderTests {
  @Test func `a call that is begun apart is pending until it is ended, and then no cancel reaches it`() {
    let records = Box<[[CallRecord]]>([])
    let execution = simulate { _ in
      let recorder = CallRecorder("camera", ["focus": [FakeBehavior(ignoresCancellation: [false])]])
      let call = recorder.begin("focus", "left")
      records.value.append(recorder.calls)
      #expect(call.cancel())
      try await call.end { call.tookEffect("focused") }
      #expect(!call.cancel())
      records.value.append(recorder.calls)
    }
    #expect(records.value.map { $0.map(\.isInFlight) } == [[true], [false]])
    #expect(records.value.last?.map(\.effects) == [["focused"]])
    #expect(execution.honored == [true])
  }

  @Test func `each operation counts its own calls and takes its own behaviors`() {
    let recorder = CallRecorder(
      "camera", ["focus": [FakeBehavior(delay: .seconds(1)), FakeBehavior(delay: .seconds(2))]],
      otherwise: FakeBehavior(delay: .seconds(3)))
    let calls = ["focus", "flash", "focus", "focus"].map { recorder.begin($0) }
    #expect(calls.map(\.number) == [1, 1, 2, 3])
    #expect(calls.map(\.delay.lowerBound) == [.seconds(1), .seconds(3), .seconds(2), .seconds(2)])
    #expect(recorder.calls.map(\.id) == [1, 2, 3, 4])
  }

  @Test(arguments: [(FakeFault.noFault, "arrived, done"), (.beforeCommit, "failed"), (.torn, "failed")])
  func `a call arrives unless it fails before its effect`(fault: FakeFault, course: String) async throws {
    let call = CallRecorder("camera", otherwise: FakeBehavior(faults: [fault])).begin("focus")
    var steps: [String] = []
    do {
      try await call.arrive()
      steps.append("arrived")
      try call.failAfterEffect()
      steps.append("done")
    } catch is InjectedFault {
      steps.append("failed")
    }
    #expect(steps.joined(separator: ", ") == course)
  }

  @Test func `a call that fails after its effect has arrived`() async throws {
    let call = CallRecorder("camera", otherwise: FakeBehavior(faults: [.afterCommit])).begin("focus")
    try await call.arrive()
    #expect(throws: InjectedFault.self) { try call.failAfterEffect() }
  }

  @Test func `what a fake leaves open in a call is a choice on the tape`() {
    let chosen = Box("")
    let execution = simulate(.only(0, 1, of: 2)) { _ in
      chosen.value = CallRecorder("camera").begin("focus").choose(among: ["near", "far"])
    }
    #expect(chosen.value == "far")
    #expect(execution.choices.map(\.kind) == [.alternative])
    #expect(CallRecorder("camera").begin("focus").choose(among: ["near", "far"]) == "near")
  }

  @Test
  func `steps that change what a fake holds are ordered by a reduced search, steps that read it are not`() {
    func orders(_ access: CallRecorder.Access) -> Int {
      let runs = Box(0)
      let report = explore(schedules: 100, strategy: Strategies.ExhaustiveReduced()) { _ in
        runs.value += 1
        let recorder = CallRecorder("lamp")
        async let first: Void = { recorder.accessed(access) }()
        async let second: Void = { recorder.accessed(access) }()
        _ = await (first, second)
      }
      #expect(report.holds)
      return runs.value
    }
    #expect(orders(.change) > orders(.read))
  }
}
