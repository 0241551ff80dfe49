internal import SimulatorCore
internal import SimulatorStrategyInterface

/// Puts every decision to the strategy and records it.
///
/// The strategy is behind a pointer, because the stored properties of a class would be checked for exclusive access at
/// every call. Safe because only the scheduler's thread reaches it, one call at a time.
@safe final class Chooser {
  private let held: UnsafeMutablePointer<HeldStrategy>
  let tape: Tape
  private(set) var follows = false
  private(set) var followsParts = false
  private(set) var followsDependencies = false
  /// True if the scheduler reports to the hooks what orders tasks.
  private(set) var followsOrder = false
  /// True if `followsOrder` or `followsDependencies` is true.
  private(set) var followsRelations = false

  init(_ recorder: FlightRecorder) {
    tape = Tape(recorder)
    unsafe held = .allocate(capacity: 1)
    let natural = UnsafeMutablePointer<Strategies.NaturalOrder>.allocate(capacity: 1)
    unsafe natural.initialize(to: Strategies.NaturalOrder())
    unsafe self.natural = natural
    unsafe held.initialize(to: HeldStrategy(at: natural))
  }

  /// The strategy that decides outside ``with(_:_:)``.
  private let natural: UnsafeMutablePointer<Strategies.NaturalOrder>

  deinit {
    unsafe held.deinitialize(count: 1)
    unsafe held.deallocate()
    unsafe natural.deallocate()
  }

  /// Lets `strategy` decide in the executions that `body` runs, and then restores the strategy before it. Returns the
  /// result of `body`, and the strategy with what it has learned.
  func with<Chosen: SchedulingStrategy, Result>(
    _ strategy: Chosen, _ body: () -> Result
  ) -> (result: Result, strategy: Chosen) {
    let address = UnsafeMutablePointer<Chosen>.allocate(capacity: 1)
    defer { unsafe address.deallocate() }
    unsafe address.initialize(to: strategy)
    let before = unsafe held.pointee
    unsafe held.pointee = HeldStrategy(at: address)
    let result = body()
    unsafe held.pointee = before
    return (result, unsafe address.move())
  }

  /// Takes the natural order in the executions that `body` runs, while the strategy watches.
  func watching(_ body: () -> Void) {
    let before = unsafe held.pointee
    unsafe held.pointee = before.watching
    body()
    unsafe held.pointee = before
  }

  /// Logs in `log` each call to the strategy in the executions that `body` runs.
  func noting<Result>(in log: StrategyLog, _ body: () -> Result) -> Result {
    let before = unsafe held.pointee
    unsafe held.pointee = before.noting(in: log)
    defer { unsafe held.pointee = before }
    return body()
  }

  /// Tells the strategy about an execution that has run in another process.
  func tell(
    _ number: Int, seed: UInt64, _ told: ContiguousArray<StrategyLog.Entry>,
    _ summary: Strategies.ExecutionSummary
  ) {
    unsafe held.pointee.decisions.began(number, seed: seed)
    var timers = HeldStrategy.ToldTimers()
    for entry in told { unsafe held.pointee.tell(entry, &timers) }
    unsafe held.pointee.decisions.ended(summary)
  }

  /// The coverage that the strategy has reached; nil while it goes on.
  var covered: Strategies.Coverage? { unsafe held.pointee.coverage?.covered }
  var isIndependent: Bool { unsafe held.pointee.independence?.isIndependent ?? false }
  /// Returns what the strategy will most likely take next, out of about `options` options.
  func likelyNext(options: Int) -> Strategies.Pick? {
    unsafe held.pointee.foresight?.likelyNext(options: options)
  }
  func roundEnded() { unsafe held.pointee.rounds?.roundEnded() }
  func divide(_ part: Int, of parts: Int) { unsafe held.pointee.division?.divide(part, of: parts) }

  /// True if the execution is over. From then on every decision takes the natural option and is not recorded on the
  /// tape.
  private(set) var isMuted = false

  func mute() {
    isMuted = true
    follows = false
    followsParts = false
    followsDependencies = false
    followOrder(false)
  }

  func followOrder(_ follows: Bool) {
    followsOrder = follows
    followsRelations = follows || followsDependencies
  }

  func begin(_ number: Int, seed: UInt64) {
    isMuted = false
    tape.removeAll()
    unsafe held.pointee.decisions.began(number, seed: seed)
    unsafe follows = held.pointee.candidates.followsCandidates
    unsafe followsParts = held.pointee.parts?.followsParts ?? false
    unsafe followsDependencies = held.pointee.dependencies.followsDependencies
  }

  func end(_ summary: Strategies.ExecutionSummary) { unsafe held.pointee.decisions.ended(summary) }

  /// True if the running step has done nothing so far that reveals when it ran. Always false if dependencies are not
  /// followed.
  private(set) var isSilent = false
  func beginSilence() { isSilent = true }
  @inline(__always)
  func endSilence() { isSilent = false }

  func offered(_ candidate: Strategies.Candidate) { unsafe held.pointee.candidates.offered(candidate) }
  func withdrew(_ candidate: Strategies.Candidate) { unsafe held.pointee.candidates.withdrew(candidate) }
  func took(_ candidate: Strategies.Candidate) { unsafe held.pointee.candidates.took(candidate) }

  func used(_ lock: Int) { unsafe held.pointee.parts?.used(lock) }

  func accessed(_ object: Strategies.SharedObject, _ access: Strategies.Access) {
    isSilent = false
    unsafe held.pointee.dependencies.accessed(object, access)
  }
  /// Notes that a silent step has asked for something that does not reveal when the step ran.
  func asked(_ object: Strategies.SharedObject, _ access: Strategies.Access) {
    unsafe held.pointee.dependencies.accessed(object, access)
  }
  func timePassed() { unsafe held.pointee.dependencies.timePassed() }
  func acted(_ action: Int) { unsafe held.pointee.dependencies.acted(action) }

  /// Decides among `options`. If there is only one, nothing is asked and nothing is recorded.
  func choose(_ kind: Schedule.Choice.Kind, options: Int) -> Int {
    guard options > 1, !isMuted else { return 0 }
    return choose(
      Strategies.ChoicePoint(kind: kind, options: options, anytime: 0, atTimer: false, position: tape.count))
  }

  /// Decides whether the running step is preempted. `rest` is its remainder, if the strategy knows about it.
  func choosePreemption(of rest: Strategies.Candidate.ID?) -> Int {
    guard !isMuted else { return 0 }
    return choose(Strategies.ChoicePoint(preempting: rest, position: tape.count))
  }

  /// Decides about `timers`: one of them may fire or be put off.
  func choose(
    _ kind: Schedule.Choice.Kind, options: Int, _ timers: Strategies.ChoicePoint.Timers
  ) -> Int {
    guard options > 1, !isMuted else { return 0 }
    return unsafe withUnsafePointer(to: timers) { timers in
      choose(
        unsafe Strategies.ChoicePoint(
          kind: kind, options: options, anytime: 0, atTimer: false, position: tape.count, about: timers))
    }
  }

  private func choose(_ point: Strategies.ChoicePoint) -> Int {
    let (kind, options) = (point.kind, point.options)
    isSilent = false
    let pick = ask(point)
    guard case .option(let taken) = pick, taken >= 0, taken < options else {
      preconditionFailure("a strategy picked \(pick) of \(options) options of kind \(kind)")
    }
    record(kind, options, taken)
    return taken
  }

  /// Repeats earlier decisions. The strategy is asked, so that it knows of them, but has no say.
  func repeatChoices(_ choices: some Sequence<Schedule.Choice>) {
    for choice in choices {
      let point = Strategies.ChoicePoint(
        kind: choice.kind, options: choice.options, anytime: 0, atTimer: false, position: tape.count)
      _ = ask(point)
      record(choice.kind, choice.options, choice.taken)
    }
  }

  @inline(__always)
  func ask(_ point: Strategies.ChoicePoint) -> Strategies.Pick { unsafe held.pointee.decisions.pick(point) }

  @inline(__always)
  func record(_ kind: Schedule.Choice.Kind, _ options: Int, _ taken: Int) {
    tape.append(kind, options: options, taken: taken)
  }
}
