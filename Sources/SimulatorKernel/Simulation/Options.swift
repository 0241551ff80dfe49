internal import Foundation
internal import SimulatorCore

extension Simulation {
  /// The limits of one execution, and what counts as a violation in it.
  public struct Options: Sendable {
    /// The virtual time at which an execution ends. Ten minutes. If the body has not returned by then, the execution
    /// has not passed: see ``Invariant/BuiltIn/unfinished``.
    public var timeLimit: Duration = .seconds(600)
    /// The number of steps that may run without virtual time moving; one more is a livelock. 1,000,000. After half of them,
    /// or after 50,000 if that is fewer, the execution takes the natural order, in which every step that can run does run.
    /// So an execution that never ends does so without starvation.
    public var stepLimitPerInstant = 1_000_000
    /// The real time to wait for a foreign thread to bring work back before this counts as a deadlock. 100 ms.
    public var foreignThreadTimeout: Duration = .milliseconds(100)
    /// The longest time by which a sleep may end later than its deadline. Zero.
    ///
    /// With zero, timers fire in the order of their deadlines, however close two of them are. A real machine wakes a
    /// sleeper a little late, so that sleeps of 10 and of 10.2 ms end in the other order now and then. With more than
    /// zero, every sleep ends between its deadline and this much later, as for ``Simulation/sleep(in:)``. Each order of
    /// two ends that are closer together than that costs at most two deviations per sleep.
    public var timerJitter: Duration = .zero
    /// The number of threads that the global executor has for each priority. Nil: as many as the machine has cores.
    ///
    /// A task that blocks (in `DispatchSemaphore.wait`, `DispatchQueue.sync`, `Thread.sleep`) keeps its thread. While blocked
    /// tasks keep all threads of a priority, no other task of that priority begins or is resumed. If nothing else can end
    /// their wait, the program stops forever: a deadlock. A task that blocks where more threads would have been free hangs
    /// only on smaller machines, so set this to the number of cores of the smallest machine that runs the program, and every
    /// machine finds the same.
    ///
    /// ```swift
    /// var options = Simulation.Options()
    /// options.poolThreads = 2
    /// ```
    public var poolThreads: Int?
    /// The points at which a step may be preempted, if any. As needed.
    public var steps = Steps.asNeeded
    /// What a load of an atomic may answer: only the newest store, unless said.
    public var memory = Memory.sequentiallyConsistent
    /// True if a task that is alive at the end is a violation rather than a warning.
    public var forbidsOutlivingTasks = false
    /// True if observed values are read after every step, even if they report that they have not changed. For
    /// comparison with an execution in which this is false.
    package var readsEverything = false
    /// True if the execution notes what a passing test should say: see ``Explorer/Advice``.
    package var notesAdvice = false
    /// True if the engine checks its own tables before each step, and traps if they contradict each other. For its tests.
    package var checksInvariants = false

    /// Creates options with these defaults.
    public init(
      timeLimit: Duration = .seconds(600), stepLimitPerInstant: Int = 1_000_000,
      foreignThreadTimeout: Duration = .milliseconds(100),
      timerJitter: Duration = .zero, poolThreads: Int? = nil, steps: Steps = .asNeeded,
      memory: Memory = .sequentiallyConsistent, forbidsOutlivingTasks: Bool = false
    ) {
      self.timeLimit = timeLimit
      self.stepLimitPerInstant = stepLimitPerInstant
      self.foreignThreadTimeout = foreignThreadTimeout
      self.timerJitter = timerJitter
      self.poolThreads = poolThreads
      self.steps = steps
      self.memory = memory
      self.forbidsOutlivingTasks = forbidsOutlivingTasks
    }

    /// Returns the same options with another limit of virtual time, if one is given.
    package func limited(to timeLimit: Duration?) -> Self {
      var options = self
      if let timeLimit { options.timeLimit = timeLimit }
      return options
    }

    /// The number of cores that Dispatch takes for the width of the global executor: all that the machine has, even if the
    /// process may run on a few of them only.
    static let cores = max(1, ProcessInfo.processInfo.processorCount)

    /// The points, if any, at which other steps can run in the middle of a step.
    public enum Steps: String, Hashable, Codable, Sendable, CaseIterable {
      /// None: every step runs to its end before the next begins. Complete for state that only actors have.
      case atomic
      /// The points after a step has made something runnable (by making a task, resuming a continuation, cancelling, adding
      /// to a stream or releasing a lock), and those at which it has to wait for a lock.
      case preemptible
      /// None, until an execution shows that two tasks use the same lock, or a `Mutex` each, or with the build flag
      /// the same atomic, that a step blocks its thread by a wait or a sleep, or that one step may cancel, or change something
      /// shared, between two things that another does. From then on the whole search uses
      /// preemptible steps, and no longer claims what it had covered before. `.reduced` does not see who takes a
      /// `Mutex`, so for that strategy this holds only for what it does see.
      case asNeeded = "as-needed"
    }

    /// The memory model: what a load of an atomic may answer.
    public enum Memory: String, Hashable, Codable, Sendable, CaseIterable {
      /// The newest store, whatever orders the program asks for.
      case sequentiallyConsistent = "sequentially-consistent"
      /// Any store that the orders of the program's atomics allow, as C++ and Swift define them: a *relaxed* or *acquiring* load
      /// may answer an older store, until the reading task has learned of a newer one. So a search shows what a missing
      /// `.acquiring` or `.releasing` costs, and what store buffers do.
      ///
      /// The program must be built with the flag for atomics, with all of its code that orders threads by atomics. No load
      /// answers a store that comes later (*load buffering*), and stores to one address take effect in the order in which steps
      /// come to them, so some of what C++ allows is left out. Older stores are forgotten when virtual time moves. A search
      /// takes longer by a factor that grows with the number of loads.
      ///
      /// A violation that such a load takes part in says whether an x86 machine can show it, or only one whose memory is weaker,
      /// as that of ARM is.
      case weak
    }

    /// Ends the program if no execution can keep a limit.
    func refuseMeaningless() {
      refuse(
        if: timeLimit < .zero,
        "no execution ends at \(timeLimit.shortText): set `timeLimit` to zero or more, as .seconds(600)")
      refuse(
        if: stepLimitPerInstant < 1,
        "an execution of \(stepLimitPerInstant) steps runs nothing: set `stepLimitPerInstant` to 1 or more")
      refuse(
        if: timerJitter < .zero,
        "no sleep ends \(timerJitter.shortText) late: set `timerJitter` to zero, which keeps every deadline, or more"
      )
      refuse(
        if: (poolThreads ?? 1) < 1,
        "no task runs on \(poolThreads ?? 0) threads: set `poolThreads` to 1 or more, or to nil for the machine's own number"
      )
      refuse(
        if: memory == .weak && !Simulation.followsAtomics,
        "without the build flag no atomic is seen, so memory is not weak: build the tests and the code that they test with "
          + "`-Xfrontend -sanitize=thread`, or leave `memory` as it is")
      refuse(
        if: memory == .weak && steps == .atomic,
        "of atomic steps each sees what the one before has stored: leave `steps` as it is where `memory` is weak"
      )
      refuse(
        if: foreignThreadTimeout < .zero,
        "`foreignThreadTimeout` is \(foreignThreadTimeout.shortText): set it to zero, which waits for no thread, or more"
      )
    }
  }
}
