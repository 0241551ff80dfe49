extension Invariant {
  /// What a violation shows, as a person would name it: a kind of race, or a crash, a hang, an escape.
  ///
  /// An invariant or its monitor gives a diagnosis only where it cannot be wrong; a violation without one is
  /// unclassified.
  public struct Diagnosis: Hashable, Codable, Sendable, CustomStringConvertible {
    /// In lower case: `lost update`.
    public let name: String

    /// A diagnosis called `name`.
    public init(_ name: String) {
      refuse(if: name.isEmpty, "a diagnosis needs a name; one that is not known is nil")
      self.name = name
    }

    public var description: String { name }

    /// The name as a line begins with it.
    var title: String { name.prefix(1).uppercased() + name.dropFirst() }
  }
}

extension Invariant.Diagnosis {
  /// Two read the same value before either wrote it back; one change is gone.
  public static let lostUpdate = Invariant.Diagnosis("lost update")
  /// An older answer took the place of a newer one.
  public static let staleOverNewer = Invariant.Diagnosis("stale result over newer")
  /// Something was written in a task that had been cancelled.
  public static let writeAfterCancellation = Invariant.Diagnosis("write after cancellation")
  /// The same was asked for again while it was under way.
  public static let duplicateRequest = Invariant.Diagnosis("duplicate request")
  /// What had been checked was no longer so when it was acted upon.
  public static let checkThenAct = Invariant.Diagnosis("check then act across a suspension")
  /// Another task ran on the domain between two steps that belong together.
  public static let interleaved = Invariant.Diagnosis("interleaved between two steps")
  /// Acted as in a state that had been left meanwhile.
  public static let leftState = Invariant.Diagnosis("acted in a state already left")
  /// Stopped in a state that is only passed through.
  public static let leftHalfWay = Invariant.Diagnosis("left half-way")
  /// Done again although it had taken effect and was over.
  public static let repeatedEffect = Invariant.Diagnosis("repeated after it took effect")
  /// Parts that were read at different moments, shown as one.
  public static let tornSnapshot = Invariant.Diagnosis("torn snapshot")
  /// Completed a second time.
  public static let completedTwice = Invariant.Diagnosis("completed twice")
  /// Went on for an owner that had left.
  public static let outlivedOwner = Invariant.Diagnosis("outlived its owner")
  /// Went on for longer than it may after a cancel.
  public static let stoppedTooLate = Invariant.Diagnosis("stopped too late")
  /// Was held on to when it was over.
  public static let keptForEver = Invariant.Diagnosis("kept for ever")
  /// Went on when the execution was over.
  public static let outlivedExecution = Invariant.Diagnosis("outlived its execution")
  /// Happened in another order than it was asked for.
  public static let outOfOrder = Invariant.Diagnosis("out of order")
  /// Went on for longer after the user's last action than it may.
  public static let settledTooLate = Invariant.Diagnosis("settled too late")
  /// Came later than it may.
  public static let answeredTooLate = Invariant.Diagnosis("answered too late")
  /// What the user did was shown later than it may.
  public static let shownTooLate = Invariant.Diagnosis("shown too late")
  /// There was room when it began, and none when it came to use it.
  public static let roomTaken = Invariant.Diagnosis("room taken meanwhile")
  /// Work kept a domain closed.
  public static let closedTooLong = Invariant.Diagnosis("domain closed too long")
  /// The results of two were mixed.
  public static let mixedResults = Invariant.Diagnosis("mixed results")
  /// A part was published as if it were all.
  public static let partOfResult = Invariant.Diagnosis("part of a result")
  /// Some of what belongs together was written, and some was not.
  public static let writtenInPart = Invariant.Diagnosis("written in part")
  /// Something was shown that was never saved.
  public static let shownNotSaved = Invariant.Diagnosis("shown but not saved")
  /// Something was saved that is not shown.
  public static let savedNotShown = Invariant.Diagnosis("saved but not shown")
  /// A cancel was taken for a failure.
  public static let cancelAsFailure = Invariant.Diagnosis("cancel shown as failure")
  /// One requester's cancel ended another's request.
  public static let sharedCancellation = Invariant.Diagnosis("another's cancel")
  /// A requester was left without an answer.
  public static let neverAnswered = Invariant.Diagnosis("never answered")
  /// What the screen shows was changed elsewhere than on the main actor.
  public static let offTheMainActor = Invariant.Diagnosis("changed off the main actor")
  /// A cache went on answering with what had been discarded.
  public static let staleCache = Invariant.Diagnosis("stale cache")
  /// Something was used although its time was up.
  public static let usedAfterExpiry = Invariant.Diagnosis("used after expiry")
  /// Two steps access the same memory at once, and nothing orders them.
  public static let dataRace = Invariant.Diagnosis("data race")
  /// Every task waits for another.
  public static let deadlock = Invariant.Diagnosis("deadlock")
  /// A task was told to end, and is suspended for ever.
  public static let leak = Invariant.Diagnosis("leaked task")
  /// A lock was held when its task suspended.
  public static let lockHeldAcrossSuspension = Invariant.Diagnosis("lock held across a suspension")
  /// Did not return in time.
  public static let unfinished = Invariant.Diagnosis("not finished")
  /// Steps without end, and no progress.
  public static let livelock = Invariant.Diagnosis("livelock")
  /// The process ended.
  public static let crash = Invariant.Diagnosis("crash")
  /// A step never returned.
  public static let hang = Invariant.Diagnosis("hang")
  /// A thread that the simulation does not control took part.
  public static let escape = Invariant.Diagnosis("escape")
  /// The same schedule led to different ends.
  public static let nondeterminism = Invariant.Diagnosis("nondeterminism")
}
