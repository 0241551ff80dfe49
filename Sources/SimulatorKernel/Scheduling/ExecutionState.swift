internal import SimulatorCore
internal import SimulatorStrategyInterface

/// The state of one execution, except for its tables. A fresh execution begins with a fresh value.
///
/// It holds only words, and no references. To replace it takes a few stores, and no access to it runs code that could
/// access it again, so the compiler needs no checks for exclusive access.
@safe struct ExecutionState {
  /// The upper bits of the record word of each of its tasks.
  let tag: UInt64
  /// The stop point of the execution.
  let cut: Cut
  /// True if the execution has stopped early.
  var isCut = false
  /// True if two steps were about to access the same memory at once.
  var hasRaced = false
  /// True if it is found out which of the whole steps use a `Mutex`.
  var watchesMutexes = false

  /// The running step, if any.
  var frame = Frame.none
  var steps = 0
  var stepsAtThisInstant = 0
  /// The slot of the last step in the queue, noted while so many tasks are alive that it is worth knowing.
  var lastSlot = -1
  /// The task that most likely runs after the one that runs now; -1 if it is not known.
  var likelyNext: Int32 = -1
  /// True while timers fire: no step is then the cause of what arrives.
  var isFiring = false
  /// True if a task has ended in the running step whose result is freed in a step of its own.
  var freesLate = false
  /// The number of ends of sleeps among the candidates.
  var tied = 0
  /// The number of yields since anything else happened, and the number of steps at this instant when that was.
  var idleYields = 0
  var happened = 0
  /// The number of steps of programs that polled until time was moved for them.
  var stepsPolled = 0
  /// The ids of the last two arrivals of tasks that yield.
  var lastYields: (Strategies.Candidate.ID, Strategies.Candidate.ID) = (0, 0)
  /// The arrival of a step that keeps losing a lock that the running step has unlocked: the running step goes behind
  /// it.
  var passedOver: Strategies.Candidate.ID?
  /// True if a schedule was left out because it is not fair.
  var skippedUnfairSchedules = false
  /// The digest of what has happened so far.
  var digest = Digest.seed

  /// The id of the next arrival.
  var nextID: Strategies.Candidate.ID = 0
  var jobsFromOutside = 0
  /// The task whose continuation has just been resumed. The runtime puts it into its actor's mailbox, and the scheduler
  /// sees only that this mailbox is to be drained.
  var resuming: Int32 = -1
  /// True while the runtime's job for a yield runs, which only resumes the task that has yielded. `chained` then keeps
  /// the task.
  var isChaining = false
  var chained: UnsafeMutableRawPointer?

  /// True while a task is made for a piece of work of a queue's. `made` then keeps the task.
  var isMakingWork = false
  var made: UnsafeMutableRawPointer?

  /// The process to which the tasks that are being made belong; 0 for that of their makers.
  var launching: Processes.Number = 0

  var rootPriority: UInt8 = 0
  /// True if it has made a task of another priority than its root's.
  var prioritiesDiffer = false
  /// True if any task may be cancelled wherever it is suspended.
  var followsCancellations = false
  /// The number of points at which the running step could have been preempted.
  var pointsOfStep = 0
  /// True if a step was not preempted because values are observed.
  var keptWhole = false
  /// True if values are no longer observed, because a step was parked when another one ended.
  var isBlurred = false
  /// True if it has come to the earliest end of a time that is a range.
  var hasTimeRanges = false
  /// True if it has chosen a duration out of a range right away.
  var choseDurationEagerly = false
  /// True if the program has asked for random numbers.
  var drewNumbers = false
  /// The means by which steps were seen to share state that a strategy is not told about, if any.
  var unseen: String?
  /// The last step in which the program has declared an access.
  var declaredAtStep = -1
  /// The last step that has changed something that is observed, while steps are atomic; -1 if there is none.
  var changesObservedAtStep = -1
  /// The number of actors that were made between steps.
  var actorsWithoutMaker: UInt64 = 0

  init(tag: UInt64 = 0, cut: Cut = .none) {
    self.tag = tag
    self.cut = cut
  }
}

extension ExecutionState {
  /// The part of the state that belongs to one step.
  struct Frame {
    var domain: Int32
    var task: Int32
    /// The id of the first arrival since the step began.
    var firstID: Strategies.Candidate.ID = 0
    /// True while an executor of the program's runs a job within the step.
    var isWithin = false
    /// True if such a job has run within the step.
    var hasRunOne = false
    /// The hop that such a job ended with, if it may still be in flight.
    var inFlight = DomainRecord.noneInFlight
    static let none = Frame(domain: -1, task: -1)
  }

  /// The point at which an execution stops.
  struct Cut {
    /// The step that is not run or, if `place` is between steps, the last one that is; `.max` for none.
    var step = Int.max
    var place = Death.Place.step
    /// The action that does not happen.
    var act = Int.max
    /// The step that is not run, of those that run out what the execution has left behind.
    var tearDownStep = Int.max
    /// The end that the trace shows there.
    var ending = Death.Ending.processEnds
    static let none = Cut()
  }
}

extension ExecutionState.Cut {
  /// Stops just before what ended the process.
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

/// The limits at which an execution ends although something is left to do, and its settings.
package struct Limits {
  /// The limit of virtual time, in nanoseconds.
  package var time: Int64
  /// The number of steps without virtual time moving: more is a livelock.
  package var stepLimitPerInstant: Int
  /// The number of steps without virtual time moving after which the execution stops, judged or not.
  var enoughSteps = Int.max
  /// The number of steps without virtual time moving after which the natural order is taken.
  var unfairSteps: Int { min(Fairness.mostUnfairSteps, stepLimitPerInstant / 2) }
  /// The real time, in nanoseconds, to wait for a foreign thread before calling it a deadlock.
  var patience: Int64
  /// True if steps are preemptible.
  package var overlaps = false
  /// True if the execution is to find out whether steps should be preemptible.
  var watchesSharing = false
  /// True if the accesses to memory that the program reports are followed.
  var followsAccesses = false
  /// True if a load of an atomic may answer an older store.
  var hasWeakMemory = false
  /// The places where a step may be preempted before it accesses memory.
  var accessPoints: [Schedule.CodePoint] = []
  /// The access before which a step is to be preempted.
  var sought: SoughtAccess?
  /// True if everything that is observed is read after every step.
  var readsEverything = false
  /// True if a thread that was there before the search may go on with the program.
  var waitsForOthers = false
  /// The time, in virtual nanoseconds, by which a sleep may end late.
  package var timerJitter: Int64 = 0
  /// The number of threads that the global executor has for each priority.
  package var poolThreads = Int.max
  /// The virtual nanosecond at which each read of a clock is a nanosecond later than the one before.
  var spacedInstant: Int64?
  /// True if the execution notes what a passing test should say: see ``Explorer/Advice``.
  var notesAdvice = false
  /// True if the tables are checked before each step.
  var checksInvariants = false
}

/// The way in which an execution ended; ``Simulation/Execution/Ending``.
public enum ExecutionEnding: Hashable, Codable, Sendable {
  /// The root returned, or threw, and nothing was left to do.
  case finished
  /// Something was still to come at the virtual time limit.
  case timeLimit
  /// Nothing could run, and the root had not returned.
  case deadlock
  /// There were too many steps, and nothing ends them.
  case livelock
  /// It would have ended its process, and stopped just before.
  case died
  /// Work escaped to a thread that the simulation does not control, and the execution stopped there.
  case escaped
  /// Two steps were about to access the same memory at once, and the execution stopped before either did.
  case raced
}
