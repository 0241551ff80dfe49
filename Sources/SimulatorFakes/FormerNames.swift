public import SimulatorCore

// Names as they were before 0.1.0.

extension FakeBehavior {
  @available(*, deprecated, renamed: "arrivalDelay")
  public var reaches: FakeTiming? {
    get { arrivalDelay }
    set { arrivalDelay = newValue }
  }

  @available(
    *, deprecated, renamed: "init(arrivalDelay:delay:spend:replies:faults:ignoresCancellation:connection:)"
  )
  public init(
    reaches: FakeTiming?, delay: FakeTiming = .none, spend: FakeTiming = .none,
    replies: [FakeReply] = [.ok()], faults: [FakeFault] = [.noFault], ignoresCancellation: [Bool] = [false],
    connection: FakeConnection = .up
  ) {
    self.init(
      arrivalDelay: reaches, delay: delay, spend: spend, replies: replies, faults: faults,
      ignoresCancellation: ignoresCancellation, connection: connection)
  }
}

extension FakeNetwork {
  @available(*, deprecated, renamed: "ServedCall")
  public typealias Served = ServedCall

  @available(
    *, deprecated,
    renamed: "init(arrivalDelay:delay:spend:replies:faults:ignoresCancellation:connection:named:)"
  )
  public init(
    reaches: FakeTiming?, delay: FakeTiming, spend: FakeTiming = .none,
    replies: [FakeReply] = [.ok()], faults: [FakeFault] = [.noFault], ignoresCancellation: [Bool] = [false],
    connection: FakeConnection? = nil, named name: String = "network"
  ) {
    self.init(
      arrivalDelay: reaches, delay: delay, spend: spend, replies: replies, faults: faults,
      ignoresCancellation: ignoresCancellation, connection: connection, named: name)
  }
}

extension FakeTokenService {
  @available(*, deprecated, renamed: "traceValue(of:)")
  public nonisolated func shown(_ token: String) -> Trace.Value { traceValue(of: token) }
}

extension PendingCall {
  @available(*, deprecated, renamed: "arrivalDelay")
  public var reaches: ClosedRange<Duration>? { arrivalDelay }

  @available(*, deprecated, renamed: "effectDelay")
  public var wayThere: ClosedRange<Duration> { effectDelay }
}
