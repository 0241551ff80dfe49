public import SimulatorCore

extension Strategies {
  /// A decision to be made.
  @safe public struct ChoicePoint: @unchecked Sendable {
    // @unchecked Sendable because its pointer is read only while the strategy picks.
    /// The kind of decision.
    public let kind: Schedule.Choice.Kind
    /// The number of options, at least two. The last ``anytime`` options of an order choice are actions.
    public let options: Int
    /// The number of options that are *anytime* actions. They come last.
    public let anytime: Int
    /// True if the first option is to let time pass instead of running a candidate.
    public let atTimer: Bool
    private let rest: Strategies.Candidate.ID
    /// The position of the choice in the execution, from 0.
    public let position: Int
    /// The subject of a decision about timers. It is a pointer because a point is made for each step and must cost
    /// nothing; that is safe because it is valid for as long as the strategy picks.
    private let about: UnsafePointer<Timers>?

    package init(kind: Schedule.Choice.Kind, options: Int, anytime: Int, atTimer: Bool, position: Int) {
      unsafe self.init(
        kind: kind, options: options, anytime: anytime, atTimer: atTimer, position: position, about: nil)
    }

    package init(
      kind: Schedule.Choice.Kind, options: Int, anytime: Int, atTimer: Bool, position: Int,
      about: UnsafePointer<Timers>?
    ) {
      self.kind = kind
      self.options = options
      self.anytime = anytime
      self.atTimer = atTimer
      self.position = position
      rest = .max
      unsafe self.about = about
    }

    /// Creates the decision whether to preempt the running step. `rest` is the remainder of that step.
    package init(preempting rest: Strategies.Candidate.ID?, position: Int) {
      kind = .preemption
      options = 2
      anytime = 0
      atTimer = false
      self.rest = rest ?? .max
      self.position = position
      unsafe about = nil
    }

    /// For a preemption, the remainder of the running step: a candidate on offer beside all others. Taking it continues
    /// the step. Nil if the strategy is no `Strategies.PartObserver`, and for every other decision.
    public var running: Strategies.Candidate.ID? { rest == .max ? nil : rest }

    /// The number of options that a search in order tries: all, but of 65,536 draws of random numbers only the usual one.
    public var optionsInOrder: Int { kind.inOrder(options) }

    /// The timers that may fire here or be put off; nil if the decision is about something else.
    public var timers: Timers? { unsafe about?.pointee }
  }
}

extension Strategies {
  /// A timer whose end is a range and whose earliest end has come.
  public struct OpenTimer: Hashable, Sendable {
    /// A number that ascends in the order in which timers are set, within one execution.
    public let number: UInt32
    /// The hashed path of the task that waits for it, which is the same in every execution; 0 if it is not known.
    public let task: UInt64
    /// Its earliest end.
    public let earliest: VirtualInstant
    /// Its latest end.
    public let latest: VirtualInstant

    package init(number: UInt32, task: UInt64, earliest: VirtualInstant, latest: VirtualInstant) {
      (self.number, self.task, self.earliest, self.latest) = (number, task, earliest, latest)
    }
  }
}

extension Strategies.ChoicePoint {
  /// The subject of a decision about timers. Valid for as long as the strategy picks.
  ///
  /// When the earliest end of a timer has come, option 0 fires it and option 1 puts it off. From then on, there is a
  /// decision each time that time is about to move. Its option 0 fires no timer yet. Each of the next options fires one
  /// of the last ``alone`` timers before time moves. Each of the options after those fires one of the first
  /// ``together`` timers along with what is due at ``next``. At its latest end, a timer fires without a decision.
  @safe public struct Timers: @unchecked Sendable {
    // @unchecked Sendable because it is read only while the strategy picks.
    private let timers: UnsafeBufferPointer<Strategies.OpenTimer>
    private let others: UnsafeBufferPointer<Int64>
    /// All open timers, if `timers` does not hold a list of its own.
    private let open: UnsafePointer<OpenTimerList>?
    /// The ranks of the open timers that were put off and since when nothing has happened, ascending.
    private let declined: UnsafeBufferPointer<Int>
    /// The number of open timers that have to fire at ``next``, and the number of declined ones among them.
    private let due: Int
    private let dueDeclined: Int
    /// The present.
    public let now: VirtualInstant
    /// The instant at which time stops next.
    public let next: VirtualInstant
    /// The number of timers, counted from the end, that may fire before time moves: something has happened since their
    /// earliest end.
    public let alone: Int
    /// The number of timers, counted from the start, that may fire at ``next`` but do not have to.
    public let together: Int
    /// True if the earliest end of the only timer has come.
    public let isFirst: Bool

    package init(
      at timers: UnsafeBufferPointer<Strategies.OpenTimer>, now: Int64, next: Int64, alone: Int,
      together: Int, isFirst: Bool, others: UnsafeBufferPointer<Int64>
    ) {
      unsafe self.timers = timers
      unsafe self.others = others
      unsafe open = nil
      unsafe declined = UnsafeBufferPointer(start: nil, count: 0)
      due = 0
      dueDeclined = 0
      self.alone = alone
      self.now = VirtualInstant(nanoseconds: now)
      self.next = VirtualInstant(nanoseconds: next)
      self.together = together
      self.isFirst = isFirst
    }

    /// Creates a decision about the timers in `open`, of which the first `due` fire at `next` in any case.
    package init(
      in open: UnsafePointer<OpenTimerList>, declined: UnsafeBufferPointer<Int>, due: Int, now: Int64,
      next: Int64
    ) {
      unsafe timers = UnsafeBufferPointer(start: nil, count: 0)
      unsafe others = UnsafeBufferPointer(start: nil, count: 0)
      unsafe self.open = open
      unsafe self.declined = declined
      self.due = due
      dueDeclined = unsafe declined.firstIndex { $0 >= due } ?? declined.count
      alone = unsafe open.pointee.count - declined.count
      together = unsafe open.pointee.count - due
      self.now = VirtualInstant(nanoseconds: now)
      self.next = VirtualInstant(nanoseconds: next)
      isFirst = false
    }

    /// When ``isFirst``, some of the instants within the timer's range at which other timers fire, or may fire, of those
    /// that are set already. One instant may be there several times.
    public var otherInstants: [VirtualInstant] { unsafe others.map { VirtualInstant(nanoseconds: $0) } }

    /// The number of timers.
    public var count: Int { unsafe open.map { unsafe $0.pointee.count - dueDeclined } ?? timers.count }

    /// Returns the timer at `index`. O(1) among a hundred timers; among n, O(log n) plus a small fraction of n.
    public subscript(index: Int) -> Strategies.OpenTimer {
      precondition(index >= 0 && index < count, "there are \(count) timers, and none at \(index)")
      guard let open = unsafe open else { return unsafe timers[index] }
      return unsafe open.pointee[rank(at: index)]
    }

    /// Returns the rank of the timer at `index`. The order is: declined timers that need not fire at ``next``, other
    /// timers that need not, then all timers that have to.
    private func rank(at index: Int) -> Int {
      let late = unsafe declined.count - dueDeclined
      if index < late { return unsafe declined[dueDeclined + index] }
      let isLate = index < together
      var rank = isLate ? due + index - late : index - together
      for hole in isLate ? dueDeclined..<(dueDeclined + late) : 0..<dueDeclined {
        guard unsafe declined[hole] <= rank else { break }
        rank += 1
      }
      return rank
    }

    /// Returns the index of `timer`; nil if the choice is not about it.
    package func index(of timer: Strategies.OpenTimer) -> Int? {
      guard let open = unsafe open else { return unsafe timers.firstIndex(of: timer) }
      guard let rank = unsafe open.pointee.rank(of: timer) else { return nil }
      let before = unsafe declined.firstIndex { $0 >= rank } ?? declined.count
      let isDeclined = unsafe before < declined.count && declined[before] == rank
      if rank < due { return isDeclined ? nil : together + rank - before }
      return isDeclined
        ? before - dueDeclined : unsafe declined.count - dueDeclined + (rank - due) - (before - dueDeclined)
    }

    /// Returns the timer that an option is about, and whether that option fires it along with what is due at ``next``;
    /// nil for the option that fires none.
    package func choice(of option: Int) -> (timer: Strategies.OpenTimer, isTogether: Bool)? {
      if isFirst { return (self[0], false) }
      guard option > 0 else { return nil }
      let isTogether = option > alone
      return (self[isTogether ? option - 1 - alone : count - alone + option - 1], isTogether)
    }
  }
}

extension Strategies.ChoicePoint {
  /// The data of a decision about timers, without the timers themselves.
  package struct TimerBounds {
    let now: VirtualInstant
    let next: VirtualInstant
    let alone: Int
    let together: Int
    let isFirst: Bool
  }

  /// The point without its pointer, which is valid only while the strategy picks. This one can be kept.
  package var withoutTimers: Strategies.ChoicePoint {
    Strategies.ChoicePoint(
      kind: kind, options: options, anytime: anytime, atTimer: atTimer, position: position)
  }

  /// Passes this point to `body` as one about `timers`.
  package func about<Result>(
    _ timers: ContiguousArray<Strategies.OpenTimer>, _ bounds: TimerBounds, others: ContiguousArray<Int64>,
    _ body: (Strategies.ChoicePoint) -> Result
  ) -> Result {
    unsafe timers.withUnsafeBufferPointer { timers in
      unsafe others.withUnsafeBufferPointer { others in
        let about = unsafe Timers(
          at: timers, now: bounds.now.nanoseconds, next: bounds.next.nanoseconds, alone: bounds.alone,
          together: bounds.together, isFirst: bounds.isFirst, others: others)
        return unsafe withUnsafePointer(to: about) { about in
          body(
            unsafe Strategies.ChoicePoint(
              kind: kind, options: options, anytime: anytime, atTimer: atTimer, position: position,
              about: about))
        }
      }
    }
  }
}

extension Strategies.ChoicePoint.Timers {
  package var bounds: Strategies.ChoicePoint.TimerBounds {
    Strategies.ChoicePoint.TimerBounds(
      now: now, next: next, alone: alone, together: together, isFirst: isFirst)
  }
}

extension Strategies {
  /// A strategy's decision.
  public enum Pick: Hashable, Sendable {
    /// The option with this number; for an order choice, candidates by age and then *anytime* actions.
    case option(Int)
    /// The candidate with this identity, which must be on offer.
    case candidate(Strategies.Candidate.ID)
  }
}

extension Strategies {
  /// The result of an execution, for a strategy that learns.
  public struct ExecutionSummary: Codable, Sendable {
    /// The number of choices made.
    public let choices: Int
    /// The number of order choices among them.
    public let orderChoices: Int
    /// The number of steps run.
    public let steps: Int
    /// True if an invariant was violated.
    public let violated: Bool
    /// A hash of all events, in the order in which they happened.
    public let digest: UInt64
    /// A hash of what each domain and each fake saw, regardless of the order among them.
    public let behavior: UInt64
    /// True if the execution met a time that is a range, of which only some moments are ever tried.
    public var hasTimeRanges = false
    /// True if a duration was chosen immediately from a range, of which only some values are ever tried.
    public var choseDurationEagerly = false
    /// True if the program asked for random numbers, of which a search in order tries one draw.
    public var drewNumbers = false

    package init(
      choices: Int, orderChoices: Int, steps: Int, violated: Bool, digest: UInt64, behavior: UInt64,
      hasTimeRanges: Bool = false, choseDurationEagerly: Bool = false, drewNumbers: Bool = false
    ) {
      (self.choices, self.orderChoices, self.steps) = (choices, orderChoices, steps)
      (self.violated, self.digest, self.behavior, self.hasTimeRanges) = (
        violated, digest, behavior, hasTimeRanges
      )
      (self.choseDurationEagerly, self.drewNumbers) = (choseDurationEagerly, drewNumbers)
    }
  }
}
