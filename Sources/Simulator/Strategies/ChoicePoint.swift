extension Strategies {
  /// A decision to be made.
  @safe public struct ChoicePoint: @unchecked Sendable {
    // @unchecked Sendable because what it points at is read while the strategy picks, and not after.
    /// What is decided.
    public let kind: Schedule.Choice.Kind
    /// How many options there are; at least two. The last ``anytime`` of an order choice are actions.
    public let options: Int
    /// How many of the options are *anytime* actions, which come last.
    public let anytime: Int
    /// Whether the first option is to let time pass instead of running a candidate.
    public let atTimer: Bool
    private let rest: Strategies.Candidate.ID
    /// The position of the choice in the execution, from 0.
    public let position: Int
    /// What a decision about timers is about. A pointer, because a point is made for each step and must cost nothing;
    /// safe because it is valid for as long as the strategy picks.
    private let about: UnsafePointer<Timers>?

    init(kind: Schedule.Choice.Kind, options: Int, anytime: Int, atTimer: Bool, position: Int) {
      unsafe self.init(
        kind: kind, options: options, anytime: anytime, atTimer: atTimer, position: position, about: nil)
    }

    init(
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

    /// Whether the running step is left in its middle. `rest` is what remains of it.
    init(preempting rest: Strategies.Candidate.ID?, position: Int) {
      kind = .preemption
      options = 2
      anytime = 0
      atTimer = false
      self.rest = rest ?? .max
      self.position = position
      unsafe about = nil
    }

    /// Of a preemption, what remains of the running step: a candidate that is on offer beside all others. To go on is to
    /// take it. Nil where the strategy is no ``Strategies/PartObserver``, and for every other decision.
    public var running: Strategies.Candidate.ID? { rest == .max ? nil : rest }

    /// The timers of which one may fire here or may be put off; nil when the decision is about something else.
    public var timers: Timers? { unsafe about?.pointee }
  }
}

extension Strategies {
  /// A timer whose end is a range, when its earliest end has come.
  public struct OpenTimer: Hashable, Sendable {
    /// Ascends in the order in which timers are set, within one execution.
    public let number: UInt32
    /// The path of the task that waits for it, hashed: the same in every execution. 0 when it is not known.
    public let task: UInt64
    /// Its earliest end.
    public let earliest: VirtualInstant
    /// Its latest end.
    public let latest: VirtualInstant
  }
}

extension Strategies.ChoicePoint {
  /// What a decision about timers is about. Good for as long as the strategy picks.
  ///
  /// When the earliest end of a timer has come, option 0 is that it fires, option 1 that it does not yet. From then on,
  /// each time that time is about to move, option 0 is that none fires yet. The next options let one of the last
  /// ``alone`` timers fire before time moves; those behind them let one of the first ``together`` fire with what is due
  /// at ``next``. At its latest end a timer fires and nothing is asked.
  @safe public struct Timers: @unchecked Sendable {
    // @unchecked Sendable because it is read while the strategy picks, and not after.
    private let timers: UnsafeBufferPointer<Strategies.OpenTimer>
    /// All that are open, where they are not a list of their own.
    private let open: UnsafePointer<OpenTimerList>?
    /// Of those, the ranks of the ones that were put off since when nothing has happened, ascending.
    private let declined: UnsafeBufferPointer<Int>
    /// How many of those have to fire at ``next``, and how many of them were declined.
    private let due: Int
    private let dueDeclined: Int
    /// The present.
    public let now: VirtualInstant
    /// Where time stops next.
    public let next: VirtualInstant
    /// How many of the timers, the last ones, may fire before time moves: those since whose earliest end something
    /// has happened.
    public let alone: Int
    /// How many of the timers, the first ones, may fire at ``next``: those that do not have to.
    public let together: Int
    /// Whether the earliest end of the only timer has come.
    public let isFirst: Bool

    init(
      at timers: UnsafeBufferPointer<Strategies.OpenTimer>, now: Int64, next: Int64, alone: Int,
      together: Int, isFirst: Bool
    ) {
      unsafe self.timers = timers
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

    /// Of the timers in `open` the first `due` fire at `next` unasked.
    init(
      in open: UnsafePointer<OpenTimerList>, declined: UnsafeBufferPointer<Int>, due: Int, now: Int64,
      next: Int64
    ) {
      unsafe timers = UnsafeBufferPointer(start: nil, count: 0)
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

    /// How many timers there are.
    public var count: Int { unsafe open.map { unsafe $0.pointee.count - dueDeclined } ?? timers.count }

    /// The timer at `index`. O(1) among a hundred; O(log n) and a small part of n among n.
    public subscript(index: Int) -> Strategies.OpenTimer {
      precondition(index >= 0 && index < count, "there are \(count) timers, and none at \(index)")
      guard let open = unsafe open else { return unsafe timers[index] }
      return unsafe open.pointee[rank(at: index)]
    }

    /// Those declined that need not fire at ``next`` come first, then the others that need not, then all that have to.
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

    /// Where `timer` stands; nil where the choice is not about it.
    func index(of timer: Strategies.OpenTimer) -> Int? {
      guard let open = unsafe open else { return unsafe timers.firstIndex(of: timer) }
      guard let rank = unsafe open.pointee.rank(of: timer) else { return nil }
      let before = unsafe declined.firstIndex { $0 >= rank } ?? declined.count
      let isDeclined = unsafe before < declined.count && declined[before] == rank
      if rank < due { return isDeclined ? nil : together + rank - before }
      return isDeclined
        ? before - dueDeclined : unsafe declined.count - dueDeclined + (rank - due) - (before - dueDeclined)
    }

    /// The timer that an option is about, and whether it then fires with what is due at ``next``; nil for the option
    /// by which none fires.
    func choice(of option: Int) -> (timer: Strategies.OpenTimer, isTogether: Bool)? {
      if isFirst { return (self[0], false) }
      guard option > 0 else { return nil }
      let isTogether = option > alone
      return (self[isTogether ? option - 1 - alone : count - alone + option - 1], isTogether)
    }
  }
}

extension Strategies.ChoicePoint {
  /// What is known of timers besides the timers themselves.
  struct TimerBounds {
    let now: VirtualInstant
    let next: VirtualInstant
    let alone: Int
    let together: Int
    let isFirst: Bool
  }

  /// The point as it can be kept: what it points at is good only while the strategy picks.
  var withoutTimers: Strategies.ChoicePoint {
    Strategies.ChoicePoint(
      kind: kind, options: options, anytime: anytime, atTimer: atTimer, position: position)
  }

  /// Hands over this point as one about `timers`.
  func about<Result>(
    _ timers: ContiguousArray<Strategies.OpenTimer>, _ bounds: TimerBounds,
    _ body: (Strategies.ChoicePoint) -> Result
  ) -> Result {
    unsafe timers.withUnsafeBufferPointer { timers in
      let about = unsafe Timers(
        at: timers, now: bounds.now.nanoseconds, next: bounds.next.nanoseconds, alone: bounds.alone,
        together: bounds.together, isFirst: bounds.isFirst)
      return unsafe withUnsafePointer(to: about) { about in
        body(
          unsafe Strategies.ChoicePoint(
            kind: kind, options: options, anytime: anytime, atTimer: atTimer, position: position, about: about
          ))
      }
    }
  }
}

extension Strategies.ChoicePoint.Timers {
  var bounds: Strategies.ChoicePoint.TimerBounds {
    Strategies.ChoicePoint.TimerBounds(
      now: now, next: next, alone: alone, together: together, isFirst: isFirst)
  }
}

extension Strategies {
  /// What a strategy decides.
  public enum Pick: Hashable, Sendable {
    /// The option with this number; for an order choice, candidates by age and then *anytime* actions.
    case option(Int)
    /// The candidate with this identity, which must be on offer.
    case candidate(Strategies.Candidate.ID)
  }
}

extension Strategies {
  /// How an execution went, for a strategy that learns.
  public struct ExecutionSummary: Codable, Sendable {
    /// The number of choices made.
    public let choices: Int
    /// The number of order choices among them.
    public let orderChoices: Int
    /// The number of steps run.
    public let steps: Int
    /// Whether an invariant was violated.
    public let violated: Bool
    /// A hash of what happened, in the order in which it happened.
    public let digest: UInt64
    /// A hash of what each domain and each fake saw, whatever the order among them.
    public let behaviour: UInt64
    /// Whether a time was met that is a range, of which only some moments are ever tried.
    public var metRange = false
    /// Whether a duration was chosen at once out of a range, of which only some are ever tried.
    public var choseAtOnce = false
  }
}
