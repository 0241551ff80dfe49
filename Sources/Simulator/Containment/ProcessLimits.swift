/// What an execution may take of the real machine before its process is given up.
public struct ProcessLimits: Hashable, Sendable {
  /// How long nothing may move: no step begins or ends. 10 s.
  public var stall: Duration = .seconds(10)
  /// How many bytes of memory the process may use. 4 GiB.
  public var memory: UInt64 = 4 << 30

  /// The defaults.
  public init() {}
}
