/// What is checked without being asked.
public enum BuiltIn {
  /// Nothing can run, and the root has not returned.
  public static let deadlock = "deadlock"
  /// More steps without time moving than the bound allows.
  public static let livelock = "livelock"
  /// A task is alive when its execution ends.
  public static let nothingOutlives = "nothing-outlives"
  /// A continuation was resumed a second time.
  public static let continuationResumedTwice = "continuation-resumed-twice"
  /// A job came back from a thread that runs no simulation.
  public static let escape = "escape"
  /// The same tape led to another trace.
  public static let nondeterminism = "nondeterminism"
  /// The body threw.
  public static let `throws` = "throws"
  /// The process ended: a trap, `exit`, memory without end.
  public static let noCrash = "no-crash"
  /// A step never returned.
  public static let noHang = "no-hang"

  /// All of them, with a line each.
  public static let all: [(name: String, summary: String)] = [
    (deadlock, "nothing can run although the root has not returned"),
    (livelock, "steps without end while time stands still"),
    (nothingOutlives, "no task is alive when the execution ends"),
    (continuationResumedTwice, "a continuation is resumed exactly once"),
    (escape, "no work leaves the simulation for a foreign thread"),
    (nondeterminism, "the same schedule leads to the same trace"),
    (`throws`, "the body does not throw"),
    (noCrash, "nothing ends the process"),
    (noHang, "every step returns"),
  ]

  /// What a violation of a built-in check shows; nil for what has no name.
  static func diagnosis(of name: String) -> Diagnosis? {
    switch name {
    case deadlock: .deadlock
    case livelock: .livelock
    case nothingOutlives: .outlivedExecution
    case continuationResumedTwice: .completedTwice
    case escape: .escape
    case nondeterminism: .nondeterminism
    case noCrash: .crash
    case noHang: .hang
    default: nil
    }
  }
}
