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

extension Diagnosis {
  /// Two read the same value before either wrote it back; one change is gone.
  public static let lostUpdate = Diagnosis("lost update")
  /// An older answer took the place of a newer one.
  public static let staleOverNewer = Diagnosis("stale result over newer")
  /// Something was written in a task that had been cancelled.
  public static let writeAfterCancellation = Diagnosis("write after cancellation")
  /// The same was asked for again while it was under way.
  public static let duplicateRequest = Diagnosis("duplicate request")
  /// What had been checked was no longer so when it was acted upon.
  public static let checkThenAct = Diagnosis("check then act across a suspension")
  /// Another task ran on the domain between two steps that belong together.
  public static let interleaved = Diagnosis("interleaved between two steps")
  /// Acted as in a state that had been left meanwhile.
  public static let leftState = Diagnosis("acted in a state already left")
  /// Stopped in a state that is only passed through.
  public static let leftHalfWay = Diagnosis("left half-way")
  /// Done again although it had taken effect and was over.
  public static let repeatedEffect = Diagnosis("repeated after it took effect")
  /// Parts that were read at different moments, shown as one.
  public static let tornSnapshot = Diagnosis("torn snapshot")
  /// Completed a second time.
  public static let completedTwice = Diagnosis("completed twice")
  /// Went on for an owner that had left.
  public static let outlivedOwner = Diagnosis("outlived its owner")
  /// Went on for longer than it may after a cancel.
  public static let stoppedTooLate = Diagnosis("stopped too late")
  /// Was held on to when it was over.
  public static let keptForEver = Diagnosis("kept for ever")
  /// Went on when the execution was over.
  public static let outlivedExecution = Diagnosis("outlived its execution")
  /// Happened in another order than it was asked for.
  public static let outOfOrder = Diagnosis("out of order")
  /// Work kept a domain closed.
  public static let closedTooLong = Diagnosis("domain closed too long")
  /// The results of two were mixed.
  public static let mixedResults = Diagnosis("mixed results")
  /// A part was published as if it were all.
  public static let partOfResult = Diagnosis("part of a result")
  /// Some of what belongs together was written, and some was not.
  public static let writtenInPart = Diagnosis("written in part")
  /// Something was shown that was never saved.
  public static let shownNotSaved = Diagnosis("shown but not saved")
  /// Something was saved that is not shown.
  public static let savedNotShown = Diagnosis("saved but not shown")
  /// A cancel was taken for a failure.
  public static let cancelAsFailure = Diagnosis("cancel shown as failure")
  /// One requester's cancel ended another's request.
  public static let sharedCancellation = Diagnosis("another's cancel")
  /// A requester was left without an answer.
  public static let neverAnswered = Diagnosis("never answered")
  /// What the screen shows was changed elsewhere than on the main actor.
  public static let offTheMainActor = Diagnosis("changed off the main actor")
  /// A cache went on answering with what had been discarded.
  public static let staleCache = Diagnosis("stale cache")
  /// Something was used although its time was up.
  public static let usedAfterExpiry = Diagnosis("used after expiry")
  /// Every task waits for another.
  public static let deadlock = Diagnosis("deadlock")
  /// Steps without end, and no progress.
  public static let livelock = Diagnosis("livelock")
  /// The process ended.
  public static let crash = Diagnosis("crash")
  /// A step never returned.
  public static let hang = Diagnosis("hang")
  /// A thread that the simulation does not control took part.
  public static let escape = Diagnosis("escape")
  /// The same schedule led to different ends.
  public static let nondeterminism = Diagnosis("nondeterminism")
}
