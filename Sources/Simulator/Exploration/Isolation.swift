extension Explorer {
  /// What stands between an exploration's process and code that ends it: a trap, `exit`, memory without end, a
  /// step that never returns.
  public enum Isolation: Hashable, Sendable {
    /// Nothing: the process ends.
    case none
    /// The process ends. When a signal ends it, a line on standard error says before that under which schedule.
    case crashReport
    /// Executions run ahead in a forked child. What ends the child is a violation of ``Invariant/BuiltIn/noCrash`` or
    /// ``Invariant/BuiltIn/noHang``, shrunk and replayed like any other.
    ///
    /// Only a process with one thread can be forked safely at any moment: with more threads the report warns that nothing
    /// was isolated. A simulated test searches in a copy of the process of tests, which has one thread. Each schedule runs twice, and a fork is shared by up to 64.
    case forks
  }
}

extension Explorer {
  /// What an execution may take of the real machine before its process is given up.
  public struct ProcessLimits: Hashable, Sendable {
    /// How long nothing may move: no step begins or ends. 10 s.
    public var stall: Duration = .seconds(10)
    /// How many bytes of memory the process may use. 4 GiB.
    public var memory: UInt64 = 4 << 30

    /// The defaults.
    public init() {}

    func refuseMeaningless() {
      refuse(if: stall <= .zero, "`stall` is \(stall); a step needs some time, so set it to 100 ms or more")
      refuse(if: memory == 0, "`memory` is 0; a process needs some memory, so set it to 64 MiB or more")
    }
  }
}
