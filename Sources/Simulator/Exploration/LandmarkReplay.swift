internal import SimulatorCore
internal import SimulatorStrategyInterface

/// Takes recorded deviations, found again by position or by landmark, and the natural option everywhere else. Notes the
/// landmarks of the deviations that it took.
struct LandmarkReplay: Strategies.CandidateObserver {
  /// The way in which the deviations are found again.
  enum Guide: Sendable {
    case positions(Schedule)
    /// Each is taken once, at the first choice that fits it; if several fit, the first listed is taken.
    case landmarks([Landmark], and: Schedule.Deviation? = nil)
    /// No deviation is looked for: the task that ran last goes on for as long as it can.
    case oneAfterTheOther
  }

  private let guide: Guide
  private var positions = Strategies.Replay(.natural)
  private var pending: [Landmark] = []
  /// One additional deviation, at its position.
  private var extra: Schedule.Deviation?
  /// The steps on offer, oldest first.
  private var offers: [(id: Strategies.Candidate.ID, arrived: Landmark.Arrived)] = []
  private var arrivals: [UInt64: Int] = [:]
  private var known: [Strategies.Candidate.ID: Landmark.Arrived] = [:]
  private var values: [UInt64: Int] = [:]
  /// The number of timers whose end is a range that each task has come to, and the names of these timers.
  private var timerCounts: [UInt64: Int] = [:]
  private var timerNames: [UInt32: Landmark.Timer] = [:]
  /// The anytime actions on offer, numbered in the order in which they came to be.
  private var actions: [Int] = []
  private var actionsSoFar = 0
  private var last: Landmark.Arrived?
  private var steps = 0
  /// The deviations taken, in order.
  private(set) var met: [MetDeviation] = []
  /// The number of steps that had run at each choice.
  private(set) var stepsAtChoices: [Int] = []
  /// The landmark that would have come by nature, at each choice at which an anytime action could come.
  private(set) var moments: [Landmark.Natural] = []

  init(_ guide: Guide) {
    self.guide = guide
  }

  var followsCandidates: Bool { true }

  mutating func began(_ number: Int, seed: UInt64) {
    self = LandmarkReplay(guide)
    switch guide {
    case .positions(let schedule): positions = Strategies.Replay(schedule)
    case .landmarks(let landmarks, let deviation):
      pending = landmarks
      extra = deviation
    case .oneAfterTheOther: break
    }
  }

  mutating func offered(_ candidate: Strategies.Candidate) {
    let arrived = known[candidate.id] ?? arrive(candidate)
    let place = offers.lastIndex { $0.id < candidate.id }.map { $0 + 1 } ?? 0
    offers.insert((candidate.id, arrived), at: place)
  }

  mutating func withdrew(_ candidate: Strategies.Candidate) { offers.removeAll { $0.id == candidate.id } }

  mutating func took(_ candidate: Strategies.Candidate) {
    steps += 1
    last = known.removeValue(forKey: candidate.id)
    offers.removeAll { $0.id == candidate.id }
  }

  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    stepsAtChoices.append(steps)
    let taken =
      if point.kind == .order { pickOrder(point) } else if let timers = point.timers {
        pickTimer(point, timers)
      } else { pickValue(point) }
    return .option(taken)
  }

  mutating func ended(_ summary: Strategies.ExecutionSummary) {}

  private mutating func arrive(_ candidate: Strategies.Candidate) -> Landmark.Arrived {
    arrivals[candidate.task, default: 0] += 1
    let arrived = Landmark.Arrived(task: candidate.task, nth: arrivals[candidate.task] ?? 1)
    known[candidate.id] = arrived
    return arrived
  }

  // MARK: order

  private mutating func pickOrder(_ point: Strategies.ChoicePoint) -> Int {
    let first = firstAction(point)
    followActions(point.options - first)
    let natural: Landmark.Natural
    if !point.atTimer, let first = offers.first {
      natural = .step(first.arrived)
    } else {
      natural = .time(after: last)
    }
    if point.anytime > 0 { moments.append(natural) }
    let taken = wantedOrder(point, first, natural)
    let landmark: Landmark =
      taken >= first
      ? .action(actions.remove(at: taken - first), before: natural)
      : .order(
        offers.indices.contains(taken) ? offers[taken].arrived : .init(task: 0, nth: 0), before: natural)
    if taken > 0 { note(landmark, point, taken) }
    return taken
  }

  /// Returns the number of options before the anytime actions: none if everything is at rest.
  private func firstAction(_ point: Strategies.ChoicePoint) -> Int {
    offers.isEmpty && !point.atTimer ? 0 : point.options - point.anytime
  }

  /// Adjusts the actions on offer to `count`. An action that is gone without a choice was the only one; new ones come last.
  private mutating func followActions(_ count: Int) {
    if actions.count > count { actions.removeFirst(actions.count - count) }
    while actions.count < count {
      actions.append(actionsSoFar)
      actionsSoFar += 1
    }
  }

  private mutating func wantedOrder(
    _ point: Strategies.ChoicePoint, _ first: Int, _ natural: Landmark.Natural
  ) -> Int {
    switch guide {
    case .positions: return positions.option(at: point)
    case .oneAfterTheOther:
      return point.atTimer ? 0 : offers.firstIndex { $0.arrived.task == last?.task } ?? 0
    case .landmarks: break
    }
    if let taken = extraTaken(point) { return taken }
    for landmark in pending {
      switch landmark {
      case .order(let arrived, natural):
        if !point.atTimer, let index = offers.firstIndex(where: { $0.arrived == arrived }) { return index }
      case .action(let action, natural):
        if let index = actions.firstIndex(of: action) { return first + index }
      case .order, .action, .value, .timer: break
      }
    }
    return 0
  }

  /// Returns what the additional deviation takes here; nil anywhere else.
  private func extraTaken(_ point: Strategies.ChoicePoint) -> Int? {
    guard let extra, extra.position == point.position, extra.taken < point.options else { return nil }
    return extra.taken
  }

  // MARK: values

  private mutating func pickValue(_ point: Strategies.ChoicePoint) -> Int {
    let task = last?.task ?? 0
    values[task, default: 0] += 1
    let nth = values[task] ?? 1
    let taken =
      switch guide {
      case .positions: positions.option(at: point)
      case .landmarks: wantedValue(point, task, nth)
      case .oneAfterTheOther: 0
      }
    if taken > 0 { note(.value(point.kind, task: task, nth: nth, taken: taken), point, taken) }
    return taken
  }

  private func wantedValue(_ point: Strategies.ChoicePoint, _ task: UInt64, _ nth: Int) -> Int {
    if let taken = extraTaken(point) { return taken }
    for case .value(point.kind, task, nth, let taken) in pending where taken < point.options { return taken }
    return 0
  }

  // MARK: timers

  private mutating func pickTimer(_ point: Strategies.ChoicePoint, _ timers: Strategies.ChoicePoint.Timers)
    -> Int
  {
    for index in 0..<timers.count where timerNames[timers[index].number] == nil {
      let task = timers[index].task
      timerCounts[task, default: 0] += 1
      timerNames[timers[index].number] = Landmark.Timer(task: task, nth: timerCounts[task] ?? 1)
    }
    let taken =
      switch guide {
      case .positions: positions.option(at: point)
      case .landmarks:
        extraTaken(point) ?? (1..<point.options).first {
          landmark(of: $0, timers).map(pending.contains) ?? false
        } ?? 0
      case .oneAfterTheOther: 0
      }
    if taken > 0, let landmark = landmark(of: taken, timers) { note(landmark, point, taken) }
    return taken
  }

  private func landmark(of option: Int, _ timers: Strategies.ChoicePoint.Timers) -> Landmark? {
    guard let (timer, isTogether) = timers.choice(of: option), let name = timerNames[timer.number] else {
      return nil
    }
    if timers.isFirst { return .timer(name, .putOff) }
    return .timer(name, .fires(at: isTogether ? timers.next : timers.now, isTogether: isTogether))
  }

  private mutating func note(_ landmark: Landmark, _ point: Strategies.ChoicePoint, _ taken: Int) {
    if let index = pending.firstIndex(of: landmark) { pending.remove(at: index) }
    met.append(
      MetDeviation(
        deviation: .init(position: point.position, taken: taken, options: point.options), step: steps,
        kind: point.kind, landmark: landmark))
  }
}
