extension Invariant {
  /// The kind of fault that a violation shows, in everyday terms: a kind of race, or a crash, a hang, an escape.
  ///
  /// An invariant or its monitor gives a diagnosis only if it cannot be wrong. A violation without one is unclassified.
  public struct Diagnosis: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The name, in lower case: `lost update`.
    public let name: String

    /// Creates a diagnosis called `name`.
    public init(_ name: String) {
      refuse(if: name.isEmpty, "a diagnosis needs a name; one that is not known is nil")
      self.name = name
    }

    public var description: String { name }

    /// The name, capitalized to begin a line.
    package var title: String { name.prefix(1).uppercased() + name.dropFirst() }
  }
}

extension Invariant.Diagnosis {
  /// Two read the same value before either wrote it back; one change is gone.
  public static let lostUpdate = Invariant.Diagnosis("lost update")
  /// An older answer replaced a newer one.
  public static let staleOverNewer = Invariant.Diagnosis("stale result over newer")
  /// A task that had been canceled wrote something.
  public static let writeAfterCancellation = Invariant.Diagnosis("write after cancellation")
  /// A request was made again while it was under way.
  public static let duplicateRequest = Invariant.Diagnosis("duplicate request")
  /// A condition that had been checked no longer held when it was acted upon.
  public static let checkThenAct = Invariant.Diagnosis("check then act across a suspension")
  /// Another task ran on the domain between two steps that belong together.
  public static let interleaved = Invariant.Diagnosis("interleaved between two steps")
  /// The program acted as if in a state that it had left in the meantime.
  public static let leftState = Invariant.Diagnosis("acted in a state already left")
  /// The program stopped in a state that should only be passed through.
  public static let leftHalfWay = Invariant.Diagnosis("left half-way")
  /// Something was done again although it had already taken effect and was over.
  public static let repeatedEffect = Invariant.Diagnosis("repeated after it took effect")
  /// Parts that were read at different moments were shown as one.
  public static let tornSnapshot = Invariant.Diagnosis("torn snapshot")
  /// Something was completed a second time.
  public static let completedTwice = Invariant.Diagnosis("completed twice")
  /// Work went on for an owner that had left.
  public static let outlivedOwner = Invariant.Diagnosis("outlived its owner")
  /// Work went on for too long after it was canceled.
  public static let stoppedTooLate = Invariant.Diagnosis("stopped too late")
  /// Something was still held after it was over.
  public static let keptForEver = Invariant.Diagnosis("kept for ever")
  /// Work went on after the execution was over.
  public static let outlivedExecution = Invariant.Diagnosis("outlived its execution")
  /// Things happened in a different order from the one in which they were requested.
  public static let outOfOrder = Invariant.Diagnosis("out of order")
  /// Work went on for too long after the user's last action.
  public static let settledTooLate = Invariant.Diagnosis("settled too late")
  /// An answer came too late.
  public static let answeredTooLate = Invariant.Diagnosis("answered too late")
  /// The effect of a user's action was shown too late.
  public static let shownTooLate = Invariant.Diagnosis("shown too late")
  /// There was room when the work began, and none when it needed it.
  public static let roomTaken = Invariant.Diagnosis("room taken meanwhile")
  /// Work kept a domain busy for too long.
  public static let closedTooLong = Invariant.Diagnosis("domain closed too long")
  /// The results of two requests were mixed.
  public static let mixedResults = Invariant.Diagnosis("mixed results")
  /// A part of a result was published as if it were all of it.
  public static let partOfResult = Invariant.Diagnosis("part of a result")
  /// Only some of the things that belong together were written.
  public static let writtenInPart = Invariant.Diagnosis("written in part")
  /// Something was shown that was never saved.
  public static let shownNotSaved = Invariant.Diagnosis("shown but not saved")
  /// Something was saved but is not shown.
  public static let savedNotShown = Invariant.Diagnosis("saved but not shown")
  /// A cancel was taken for a failure.
  public static let cancelAsFailure = Invariant.Diagnosis("cancel shown as failure")
  /// One requester's cancel ended another's request.
  public static let sharedCancellation = Invariant.Diagnosis("another's cancel")
  /// A requester never got an answer.
  public static let neverAnswered = Invariant.Diagnosis("never answered")
  /// A value that the screen shows was changed off the main actor.
  public static let offTheMainActor = Invariant.Diagnosis("changed off the main actor")
  /// A cache still returned what had been discarded.
  public static let staleCache = Invariant.Diagnosis("stale cache")
  /// Something was used after it had expired.
  public static let usedAfterExpiry = Invariant.Diagnosis("used after expiry")
  /// Two steps access the same memory at once, and nothing orders them.
  public static let dataRace = Invariant.Diagnosis("data race")
  /// Every task waits for another.
  public static let deadlock = Invariant.Diagnosis("deadlock")
  /// Blocked tasks keep all threads of the global executor, and those that could wake them get none.
  public static let starvation = Invariant.Diagnosis("starvation")
  /// A task is suspended forever, although it should have ended.
  public static let leak = Invariant.Diagnosis("leaked task")
  /// A lock was held when its task suspended.
  public static let lockHeldAcrossSuspension = Invariant.Diagnosis("lock held across a suspension")
  /// The program did not return in time.
  public static let unfinished = Invariant.Diagnosis("not finished")
  /// The program took endless steps and made no progress.
  public static let livelock = Invariant.Diagnosis("livelock")
  /// The process ended.
  public static let crash = Invariant.Diagnosis("crash")
  /// A step never returned.
  public static let hang = Invariant.Diagnosis("hang")
  /// A thread that the simulation does not control took part.
  public static let escape = Invariant.Diagnosis("escape")
  /// One schedule led to different ends.
  public static let nondeterminism = Invariant.Diagnosis("nondeterminism")
}
