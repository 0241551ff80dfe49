extension Invariant {
  /// What is checked without being asked.
  public enum BuiltIn {
    /// Nothing can run, and the root has not returned.
    public static let deadlock = "deadlock"
    /// More steps without time moving than the bound allows.
    public static let livelock = "livelock"
    /// The body has not returned when its execution ends at the limit of virtual time. Where every task that outlives its
    /// execution is a violation, that is reported instead. Not judged where something that may happen at any time had not
    /// happened yet: the body may have waited for it.
    public static let unfinished = "unfinished"
    /// A task is alive when its execution ends.
    public static let nothingOutlives = "nothing-outlives"
    /// A task is suspended for ever: it was cancelled, and nothing is left in the execution or beside it that could wake
    /// it; or nobody holds its checked continuation any more, or that of a task whose end it waits for. A task that waits for something
    /// that may still come, as an element of a stream, is a warning only, and so is one whose unsafe continuation nobody
    /// holds, which cannot be seen. So is a cancelled one while a thread lives that the program or a library has started
    /// outside of every simulation, or a source of events, for that could wake it. Where every task that outlives its execution is a violation, that is told instead.
    public static let nothingLeaks = "nothing-leaks"
    /// A continuation was resumed a second time.
    public static let continuationResumedTwice = "continuation-resumed-twice"
    /// A step holds a lock (a mutex, a read-write lock) when it ends, because its task suspends or has ended. Another thread
    /// may go on with the task, and only the one that has taken such a lock may open it. Told where steps may overlap. On
    /// the main actor, or an executor of the program's, one thread may run all: there it is told when the lock is opened on
    /// another domain.
    public static let lockHeldAcrossSuspension = "lock-held-across-suspension"
    /// Two steps are about to access the same memory at the same moment, at least one of them writes, and nothing orders
    /// them. Told of code that is built with `-Xfrontend -sanitize=thread`, where steps may overlap.
    public static let dataRace = "data-race"
    /// Work left for a thread that runs no simulation, or came back from one.
    public static let escape = "escape"
    /// The same tape led to another trace.
    public static let nondeterminism = "nondeterminism"
    /// The body threw.
    public static let `throws` = "throws"
    /// The process ended: a trap, `exit`, memory without end.
    public static let noCrash = "no-crash"
    /// A step never returned.
    public static let noHang = "no-hang"

    /// One of them.
    public struct Check: Hashable, Sendable {
      /// The name that reports and scenario files use.
      public let name: String
      /// What is checked, in a sentence.
      public let summary: String
      /// What a violation shows; nil for what has no name.
      public let diagnosis: Invariant.Diagnosis?
    }

    /// All of them. This is the only list: reports, files, the command line and its help read it.
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

    /// Whether a violation of the built-in check `name` may be told by the time or the memory that a step takes.
    static func takesTime(_ name: String) -> Bool { name == noHang || name == noCrash }

    /// What a violation of the built-in check `name` shows; nil for what has no name.
    static func diagnosis(of name: String) -> Invariant.Diagnosis? {
      checks.first { $0.name == name }?.diagnosis
    }
  }
}
