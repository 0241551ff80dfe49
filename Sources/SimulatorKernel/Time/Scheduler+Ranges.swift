internal import SimulatorCore
internal import SimulatorStrategyInterface

// Timers whose end is a range, from `earliest` to `latest`: the end is decided when time comes to the range.
//
// `Timers` keeps every timer under its earliest end, and `TimerRanges` keeps the ranges; without ranges that list is empty and
// costs nothing. With `timerJitter`, every sleep has a range, from its deadline on.
//
// - At the earliest end there is a choice: option 0 fires the timer, option 1 puts it off. A timer that was put off is *open*,
//   and waits in `OpenTimers` in the order of `latest`, which bounds how far time may move.
// - Each time that time is about to move, there is a choice of what happens to the open timers: nothing (option 0); one fires
//   alone, before time moves, unless nothing has happened since it was put off; or one fires together with what is due at the
//   next stop, so that its steps and theirs can run in any order. At `latest`, a timer fires without a choice. So any order of
//   the ends of ranges and of other timers takes at most two deviations for each timer.
// - A sleep whose range begins at zero is decided at once, because it naturally does not suspend. `putOff(atMost:)` reserves the
//   range, and the next timer that is set is open from the start. A line of a script whose time is a range, and a call that
//   ignores a cancellation, go on in the same way, in tasks of their own.
// - `ChoicePoint.timers` tells a strategy which timers a choice is about. Random strategies keep a target for each timer
//   (`TimerTargets`), drawn from the whole range when the timer first comes up.
// - The reduced search treats time as a barrier. It tries other moments of a range only for timers that can make a difference
//   (`Races+Timers`): a step that has waited for the timer races with another step, or looks at a clock, or an invariant bounds
//   it in time; or the timer can make time stop in between. It need not fire a timer alone: where timers fire together, their
//   steps may run after all others.
// - `TimerEnds` follows which ends could come at the same instant, and which have, so that a report can name the pairs that no
//   schedule has brought together.
// - What a report claims about all schedules: a range ends at its earliest end, at its latest, or at an instant at which time
//   stops for something else. A range that was decided at once sets `choseDurationEagerly`, which withdraws that claim.

extension TimerRange {
  /// A measure of how much has happened.
  struct News: Equatable {
    let now: Int64
    let steps: Int

    init(_ now: Int64, _ steps: Int) {
      self.now = now
      self.steps = steps
    }
  }

  /// Returns this range, put off by the choice at `position`.
  func putOff(at position: Int, _ news: News) -> TimerRange {
    var range = self
    range.position = position
    range.news = news
    return range
  }
}

extension Scheduler {
  /// Sets a timer that fires at `earliest`, at `latest` or in between.
  func setRange(_ job: UnsafeMutableRawPointer?, _ earliest: Int64, _ latest: Int64, task: Int32) -> UInt32 {
    let waiter = task >= 0 ? task : currentTask
    if let range = timers.takeReserved(waiter) {
      let timer = unsafe Timer(
        deadline: earliest, order: range.order, task: task, job: job, isFollowed: true)
      timers.putOff(timer, range, as: open(range))
      return range.order
    }
    let order = unsafe timers.set(
      job, earliest: earliest, latest: latest, task: task, waiter: waiter, now: now)
    follow(order, earliest, latest, waiter)
    recorder.setTimer(order, inStep: state.steps)
    return order
  }

  /// Decides if something happens at once, which is natural, or up to `longest` later. Returns the range of the timer
  /// to be set, or nil if it happens at once.
  func putOff(atMost longest: Int64, _ kind: Schedule.Choice.Kind = .delay) -> TimerRange? {
    putOff(atMost: longest, kind, isPutOff: false)
  }

  /// Returns the range of a timer that continues a wait of the call `subject`. It was put off with an earlier timer.
  package func stillPutOff(atMost longest: Int64, _ subject: String) -> TimerRange? {
    name(nextTimer: subject)
    recorder.nextTimer(subject)
    return putOff(atMost: longest, .delay, isPutOff: true)
  }

  private func putOff(atMost longest: Int64, _ kind: Schedule.Choice.Kind, isPutOff: Bool) -> TimerRange? {
    let range = TimerRange(
      order: timers.nextNumber(), task: currentTask, start: now, earliest: now,
      latest: now.addingClamped(longest))
    recorder.setTimer(range.order, inStep: state.steps)
    follow(range.order, range.earliest, range.latest, range.task)
    guard isPutOff || self.isPutOff(range, kind) else {
      timers.come(range.order, at: now)
      return nil
    }
    // The rest of this step is news.
    return range.putOff(at: isPutOff ? -1 : chooser.tape.count - 1, .init(now, -1))
  }

  /// Follows the end of a range, as far as the limit of virtual time allows it to come.
  private func follow(_ order: UInt32, _ earliest: Int64, _ latest: Int64, _ waiter: Int32) {
    timers.follow(
      order: order, task: waiter, nth: tasks.countTimer(of: waiter), earliest: earliest,
      latest: min(latest, limits.time))
  }

  /// Reserves this range for the next timer that the running task sets.
  func reserve(_ range: TimerRange) {
    var range = range
    range.task = currentTask
    timers.reserve(range)
  }

  /// Decides if a timer fires later than at its earliest end, which has come. Returns true if it does.
  func isPutOff(_ range: TimerRange, _ kind: Schedule.Choice.Kind = .delay) -> Bool {
    guard !chooser.isMuted else { return false }
    state.hasTimeRanges = true
    showsTime()
    let offered = open(range)
    let taken = unsafe timers.withInstants(after: range.earliest, before: range.latest) { others in
      unsafe withUnsafePointer(to: offered) { offered in
        let timers = unsafe Strategies.ChoicePoint.Timers(
          at: UnsafeBufferPointer(start: offered, count: 1), now: now, next: now, alone: 0, together: 0,
          isFirst: true, others: others)
        return chooser.choose(kind, options: 2, timers)
      }
    }
    if taken == 1 { recorder.putOff(range, at: chooser.tape.count - 1) }
    return taken == 1
  }

  /// Decides, when time is about to move, if a timer that was put off fires before that, or together with what is due
  /// next. Returns true if one has fired.
  func fireOpen() -> Bool {
    showsTime()
    while !timers.open.isEmpty, !chooser.isMuted {
      let next = timers.next
      let picked = timers.offeredOpen(now: now, .init(now, state.steps)) { offered in
        offered.choice(of: chooser.choose(.delay, options: 1 + offered.alone + offered.together, offered))
      }
      guard let (timer, isTogether) = picked, let chosen = timers.takeOpen(timer) else { return false }
      let instant = isTogether ? next : now
      recorder.fired(chosen.range, at: instant, position: chooser.tape.count - 1)
      if isTogether {
        timers.fix(chosen.timer, at: instant)
      } else {
        state.isFiring = true
        timers.come(chosen.timer, at: now)
        fire(chosen.timer)
        state.isFiring = false
        return true
      }
    }
    return false
  }

  /// Records that an open timer fires at its latest end, where there is no choice.
  func fireRange(_ range: TimerRange) { recorder.fired(range, at: range.latest, position: -1) }

  /// Returns moments between `low` and `high` for a decision that cannot wait: the earliest deadlines that are pending
  /// there, and others that depend only on the task that asks.
  func inside(_ low: Int64, _ high: Int64) -> [Int64] {
    let pending = timers.deadlines(after: low, before: high, limit: 8)
    let part = (high - low) / Int64(Self.samples)
    guard part > 1 else { return pending }
    let task = currentTask
    var random = Strategies.SplitMix64(state: task >= 0 ? tasks[task].path : 0)
    return pending
      + (0..<Int64(Self.samples)).map { low + $0 * part + 1 + Int64(random.below(Int(part - 1))) }
  }

  private static let samples = 6

  /// Reports a read of the clock, because invariants may bound how long something takes.
  private func showsTime() {
    guard chooser.followsDependencies, monitors.isWatching || monitors.areListening else { return }
    chooser.accessed(.clock, .read)
  }

  /// Returns what strategies see of a range.
  func open(_ range: TimerRange) -> Strategies.OpenTimer {
    Strategies.OpenTimer(
      number: range.order, task: range.task >= 0 ? tasks[range.task].path : 0,
      earliest: VirtualInstant(nanoseconds: range.earliest), latest: VirtualInstant(nanoseconds: range.latest)
    )
  }
}
