/// What kind of race a violation shows, as a person would name it.
///
/// An invariant, or its judge, names the race only where the name cannot be wrong; a violation without one is
/// unclassified.
public struct Race: Hashable, Codable, Sendable, CustomStringConvertible {
  /// In lower case: `lost update`.
  public let name: String

  /// A race called `name`.
  public init(_ name: String) {
    self.name = name
  }

  public var description: String { name }

  /// The name as a line begins with it.
  var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}

extension Race {
  /// Two read the same value before either wrote it back; one change is gone.
  public static let lostUpdate = Race("lost update")
  /// An older answer took the place of a newer one.
  public static let staleOverNewer = Race("stale result over newer")
  /// Something was written in a task that had been cancelled.
  public static let writeAfterCancellation = Race("write after cancellation")
  /// The same was asked for again while it was under way.
  public static let duplicateRequest = Race("duplicate request")
  /// What had been checked was no longer so when it was acted upon.
  public static let checkThenAct = Race("check then act across a suspension")
  /// Another task ran on the domain between two steps that belong together.
  public static let interleaved = Race("interleaved between two steps")
  /// Acted as in a state that had been left meanwhile.
  public static let leftState = Race("acted in a state already left")
  /// Stopped in a state that is only passed through.
  public static let leftHalfWay = Race("left half-way")
  /// Done again although it had taken effect and was over.
  public static let repeatedEffect = Race("repeated after it took effect")
  /// Parts that were read at different moments, shown as one.
  public static let tornSnapshot = Race("torn snapshot")
  /// Completed a second time.
  public static let completedTwice = Race("completed twice")
  /// Went on for somebody who had left.
  public static let outlivedOwner = Race("outlived its owner")
  /// Went on for longer than it may after a cancel.
  public static let stoppedTooLate = Race("stopped too late")
  /// Was held on to when it was over.
  public static let keptForEver = Race("kept for ever")
  /// Went on when the execution was over.
  public static let outlivedExecution = Race("outlived its execution")
  /// Happened in another order than it was asked for.
  public static let outOfOrder = Race("out of order")
  /// Work kept a domain closed.
  public static let closedTooLong = Race("domain closed too long")
  /// The results of two were mixed.
  public static let mixedResults = Race("mixed results")
  /// A part was published as if it were all.
  public static let partOfResult = Race("part of a result")
  /// Some of what belongs together was written, and some was not.
  public static let writtenInPart = Race("written in part")
  /// Something was shown that was never saved.
  public static let shownNotSaved = Race("shown but not saved")
  /// Something was saved that is not shown.
  public static let savedNotShown = Race("saved but not shown")
  /// A cancel was taken for a failure.
  public static let cancelAsFailure = Race("cancel shown as failure")
  /// One requester's cancel ended another's request.
  public static let sharedCancellation = Race("another's cancel")
  /// A requester was left without an answer.
  public static let neverAnswered = Race("never answered")
  /// What the screen shows was changed elsewhere than on the main actor.
  public static let offTheMainActor = Race("changed off the main actor")
  /// A cache went on answering with what had been discarded.
  public static let staleCache = Race("stale cache")
  /// Something was used although its time was up.
  public static let usedAfterExpiry = Race("used after expiry")
  /// Everybody waits for somebody.
  public static let deadlock = Race("deadlock")
  /// Steps without end, and no progress.
  public static let livelock = Race("livelock")
  /// The process ended.
  public static let crash = Race("crash")
  /// A step never returned.
  public static let hang = Race("hang")
  /// A thread that nobody controls took part.
  public static let escape = Race("escape")
  /// The same schedule led to different ends.
  public static let nondeterminism = Race("nondeterminism")
}
