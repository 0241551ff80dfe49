extension Explorer {
  /// The protection of an exploration's process from code that ends it: a trap, `exit`, memory without end, a step that
  /// never returns.
  public enum Isolation: Hashable, Sendable {
    /// No protection: the process ends.
    case none
    /// The process ends. If a signal ends it, a line on standard error first says under which schedule.
    case crashReport
    /// Executions run ahead in a forked child. What ends the child is a violation of ``Invariant/BuiltIn/noCrash`` or
    /// ``Invariant/BuiltIn/noHang``, shrunk and replayed like any other.
    ///
    /// Only a process with one thread can be forked safely at any moment. With more threads, the report warns that
    /// nothing was isolated. A simulated test searches in a copy of the test process, which has one thread. Each
    /// schedule runs twice, and up to 64 of them share a fork.
    case forks
  }
}
