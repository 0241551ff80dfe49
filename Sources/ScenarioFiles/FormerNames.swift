// Names as they were before 0.1.0.

extension OperationKey {
  @available(*, deprecated, renamed: "arrivalDelay")
  public static var reaches: Self { arrivalDelay }
}

extension SystemDescriptor.Operation {
  @available(*, deprecated, renamed: "acceptedKeys")
  public var takes: Set<OperationKey> {
    get { acceptedKeys }
    set { acceptedKeys = newValue }
  }

  @available(*, deprecated, renamed: "init(_:_:replies:faults:acceptedKeys:spends:)")
  public init(
    _ name: String, _ summary: String, replies: [String] = [], faults: [String] = [],
    takes: Set<OperationKey>, spends: Nanoseconds? = nil
  ) {
    self.init(name, summary, replies: replies, faults: faults, acceptedKeys: takes, spends: spends)
  }
}
