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
