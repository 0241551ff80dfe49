/// The state of one execution, except for its tables: a fresh execution is a fresh value.
///
/// Words only, no references: replacing it is a few stores, and no access to it runs code that could come back to it, so
/// the compiler needs no checks for exclusive access.
@safe struct ExecutionState {
  /// The upper bits of the record word of each of its tasks.
  let tag: UInt64
  /// Where the execution is left off.
  let cut: Cut
  /// Whether it has been left off.
  var isCut = false
  /// Two steps were about to access the same memory at once.
  var hasRaced = false

  /// The step that runs, if any.
  var frame = Frame.none
  var steps = 0
  var stepsAtThisInstant = 0
  /// Where in the queue the last step stood, where so many tasks are alive that it is worth knowing.
  var lastSlot = -1
  /// The task that most likely runs behind the one that runs now; -1 where that is not known.
  var likelyNext: Int32 = -1
  /// Whether timers fire: what arrives is then no doing of a step.
  var isFiring = false
  /// How often a task has yielded since anything else happened, and when that was: after so many steps at this instant.
  var idleYields = 0
  var happened = 0
  /// The steps of programs that polled, for which time was moved.
  var stepsPolled = 0
  /// The ids of the last two arrivals of a task that yields.
  var lastYields: (Strategies.Candidate.ID, Strategies.Candidate.ID) = (0, 0)
  /// Who waits for a lock, and has been passed over each time that the running step has opened it.
  var passedOver: Strategies.Candidate.ID?
  /// Whether a schedule was left out because it is not fair.
  var leftUnfairOut = false
  /// What happened so far.
  var digest = Digest.seed

  /// The id of the next arrival.
  var nextID: Strategies.Candidate.ID = 0
  var jobsFromOutside = 0
  /// The task whose continuation has just been resumed: the runtime puts it into its actor's mailbox, of which we see
  /// only that it is to be drained.
  var resuming: Int32 = -1
  /// Whether the job that runs only resumes a task that has yielded, which is then kept here.
  var isChaining = false
  var chained: UnsafeMutableRawPointer?

  /// Whether the task that is being made does work of a queue's; it is then kept here.
  var isMakingWork = false
  var made: UnsafeMutableRawPointer?

  /// The process to which the tasks belong that are being made; 0 for their makers'.
  var launching: Processes.Number = 0

  var rootPriority: UInt8 = 0
  /// Whether it has made a task of another priority than its root's.
  var prioritiesDiffer = false
  /// Whether any task may be cancelled wherever it is suspended.
  var followsCancellations = false
  /// At how many points the running step might have been left.
  var pointsOfStep = 0
  /// Whether a step was not left in its middle because values are watched.
  var keptWhole = false
  /// Whether values are watched no more, because a step stood when one ended.
  var isBlurred = false
  /// Whether it has come to the earliest end of a time that is a range.
  var metRange = false
  /// Whether it has chosen a duration at once out of a range.
  var choseAtOnce = false
  /// Through what steps share state that a strategy is not told of, where that was seen.
  var unseen: String?
  /// The last step in which the program has declared an access.
  var declaredAtStep = -1
  /// How many actors were made between steps.
  var actorsWithoutMaker: UInt64 = 0

  init(tag: UInt64 = 0, cut: Cut = .none) {
    self.tag = tag
    self.cut = cut
  }
}

extension ExecutionState {
  /// A step.
  struct Frame {
    var domain: Int32
    var task: Int32
    /// The id of the first arrival since the step began.
    var firstID: Strategies.Candidate.ID = 0
    /// Whether an executor of the program's runs a job in the middle of a step.
    var isWithin = false
    /// Whether it has run one.
    var hasRunOne = false
    /// The hop that such a job ended with, if that may not have landed yet.
    var departure = DomainRecord.noDeparture
    static let none = Frame(domain: -1, task: -1)
  }

  /// Where an execution is left off.
  struct Cut {
    /// The step that is not run, or the last one that is; `.max` for none.
    var step = Int.max
    var place = Death.Place.step
    /// The action that does not happen.
    var act = Int.max
    /// The step that is not run of those that run out what the execution has left behind.
    var tearDownStep = Int.max
    /// What the trace says there.
    var ending = Death.Ending.processEnds
    static let none = Cut()
  }
}

extension ExecutionState.Cut {
  /// Just before what ended the process.
  init(before death: Death?) {
    guard let death else { return }
    ending = death.ending
    if death.isTearDown {
      tearDownStep = death.step
    } else if death.place == .action {
      act = death.acts
    } else {
      step = death.step
      place = death.place
    }
  }
}

/// When an execution ends although something is left to do.
struct Limits {
  /// Virtual nanoseconds.
  var time: Int64
  /// Steps without virtual time moving: more is a livelock.
  var stepsAtOneInstant: Int
  /// Steps without virtual time moving after which the execution is left off, judged or not.
  var enoughSteps = Int.max
  /// Steps without virtual time moving after which the natural order is taken.
  var unfairSteps: Int { min(Fairness.mostUnfairSteps, stepsAtOneInstant / 2) }
  /// Real nanoseconds to wait for a foreign thread before calling it a deadlock.
  var patience: Int64
  /// Whether a step may be left in its middle.
  var overlaps = false
  /// Whether it is to be found out whether a step had better be left in its middle.
  var watchesSharing = false
  /// Whether accesses to memory are followed, where the program tells them.
  var followsAccesses = false
  /// Where a step may be left before it accesses memory.
  var accessPoints: [Schedule.CodePoint] = []
  /// The access before which a step is to be left.
  var sought: SoughtAccess?
  /// Whether all that is observed is read after every step.
  var readsEverything = false
  /// Whether a thread that was there before the search may go on with the program.
  var waitsForOthers = false
  /// Virtual nanoseconds that a sleep may end late.
  var timerJitter: Int64 = 0
  /// Whether to note what a passing test should say: see ``Explorer/Advice``.
  var notesAdvice = false
}

/// How an execution ended; ``Simulation/Execution/Ending``.
public enum ExecutionEnding: Hashable, Codable, Sendable {
  /// The root returned, or threw, and nothing was left to do.
  case finished
  /// Something was still to come at the virtual time limit.
  case timeLimit
  /// Nothing could run, and the root had not returned.
  case deadlock
  /// Too many steps, and nothing ends them.
  case livelock
  /// It would have ended its process, and was left off just before.
  case died
  /// Work left for a thread that the simulation does not control, and it was left off there.
  case escaped
  /// Two steps were about to access the same memory at once, and it was left off before either did.
  case raced
}
