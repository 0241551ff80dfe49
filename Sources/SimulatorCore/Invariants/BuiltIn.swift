extension Invariant {
  /// The checks that are always on, without being required.
  public enum BuiltIn {
    /// Nothing can run, and the root has not returned.
    public static let deadlock = "deadlock"
    /// The program takes more steps than the bound allows while virtual time does not advance.
    public static let livelock = "livelock"
    /// The body has not returned when its execution ends at the limit of virtual time. If every task that outlives its
    /// execution is a violation, that is reported instead. This is not judged if an action that may happen at any time
    /// has not happened yet: the body may be waiting for it.
    public static let unfinished = "unfinished"
    /// A task is still alive when its execution ends.
    public static let nothingOutlives = "nothing-outlives"
    /// A task is suspended forever. Either it was canceled, and nothing in the execution or beside it can still wake
    /// it; or nothing holds its checked continuation anymore, or that of a task whose end it waits for. Three cases
    /// are only warnings. The task waits for something that may still come, such as an element of a stream. Nothing
    /// holds its unsafe continuation, which cannot be seen. Or the task was canceled, but a thread that the program or
    /// a library started outside of every simulation, or a source of events, is still alive and could wake it. If every
    /// task that outlives its execution is a violation, that is reported instead.
    public static let nothingLeaks = "nothing-leaks"
    /// A continuation was resumed a second time.
    public static let continuationResumedTwice = "continuation-resumed-twice"
    /// A step holds a lock (a mutex, a read-write lock) when it ends, because its task suspends or has ended. Another
    /// thread may resume the task, and only the thread that locked such a lock may unlock it. Reported with preemptible
    /// steps. On the main actor, or on an executor of the program's own, one thread may run everything: there it is
    /// reported when the lock is unlocked on another domain.
    public static let lockHeldAcrossSuspension = "lock-held-across-suspension"
    /// Two steps are about to access the same memory at the same moment, at least one of them writes, and nothing
    /// orders them. Reported for code that is built with `-Xfrontend -sanitize=thread`, with preemptible steps.
    public static let dataRace = "data-race"
    /// Work escapes to a thread that runs no simulation, or comes back from one.
    public static let escape = "escape"
    /// One tape leads to different traces.
    public static let nondeterminism = "nondeterminism"
    /// The body threw.
    public static let `throws` = "throws"
    /// The process ends: a trap, `exit`, or unbounded memory.
    public static let noCrash = "no-crash"
    /// A step never returns.
    public static let noHang = "no-hang"

    /// One built-in check.
    public struct Check: Hashable, Sendable {
      /// The name that reports and scenario files use.
      public let name: String
      /// A sentence that says what is checked.
      public let summary: String
      /// The kind of fault that a violation shows; nil if it has no name.
      public let diagnosis: Invariant.Diagnosis?
    }

    /// All built-in checks. This is the only list: reports, files, the command line and its help read it.
    public static let checks = [
      Check(
        name: deadlock, summary: "Nothing can run any more, and the program has not returned.",
        diagnosis: .deadlock),
      Check(
        name: livelock, summary: "The program takes more steps than it may, and gets nowhere.",
        diagnosis: .livelock),
      Check(
        name: unfinished,
        summary: "The program returns before its execution ends at the limit of virtual time.",
        diagnosis: .unfinished),
      Check(
        name: nothingOutlives, summary: "No task is still alive when the execution ends.",
        diagnosis: .outlivedExecution),
      Check(
        name: nothingLeaks,
        summary:
          "No task stays suspended that was cancelled, or whose continuation was dropped, when nothing is left to wake it.",
        diagnosis: .leak),
      Check(
        name: continuationResumedTwice, summary: "A continuation is resumed a second time.",
        diagnosis: .completedTwice),
      Check(
        name: lockHeldAcrossSuspension,
        summary: "No step ends with a lock in hand that only its own thread may open.",
        diagnosis: .lockHeldAcrossSuspension),
      Check(
        name: dataRace,
        summary: "No two steps access the same memory at once, of which one writes (with the build flag).",
        diagnosis: .dataRace),
      Check(
        name: escape, summary: "Work escapes to a thread that the simulator does not control.",
        diagnosis: .escape),
      Check(
        name: nondeterminism, summary: "The same schedule leads to another trace.", diagnosis: .nondeterminism
      ),
      Check(name: `throws`, summary: "The program throws an error that nobody handles.", diagnosis: nil),
      Check(
        name: noCrash, summary: "Nothing ends the process: no trap, no exit, no memory without end.",
        diagnosis: .crash),
      Check(name: noHang, summary: "Every step returns within five seconds of real time.", diagnosis: .hang),
    ]

    /// Returns true if a violation of the built-in check `name` may depend on the time or the memory that a step takes.
    package static func takesTime(_ name: String) -> Bool { name == noHang || name == noCrash }

    /// Returns the kind of fault that a violation of the built-in check `name` shows; nil if it has no name.
    package static func diagnosis(of name: String) -> Invariant.Diagnosis? {
      checks.first { $0.name == name }?.diagnosis
    }
  }
}
