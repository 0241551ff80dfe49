/// Puts every decision to the strategy and records it.
///
/// The strategy sits behind a pointer, because a class's stored existential would be checked for exclusive access
/// at every call; safe because only the scheduler's thread reaches it, one call at a time.
@safe final class Chooser {
  private let strategy: UnsafeMutablePointer<any Strategy & HeldInPlace>
  let tape: Tape
  private(set) var follows = false
  private(set) var followsDependencies = false

  init(_ initial: any Strategy, _ recorder: FlightRecorder) {
    tape = Tape(recorder)
    unsafe strategy = .allocate(capacity: 1)
    unsafe strategy.initialize(to: Self.inPlace(initial))
  }

  private static func inPlace(_ strategy: some Strategy) -> any Strategy & HeldInPlace { InPlace(strategy) }

  deinit {
    unsafe strategy.pointee.free()
    unsafe strategy.deinitialize(count: 1)
    unsafe strategy.deallocate()
  }

  /// The strategy; replaced between executions.
  var current: any Strategy {
    get { unsafe strategy.pointee.value }
    set {
      unsafe strategy.pointee.free()
      unsafe strategy.pointee = Self.inPlace(newValue)
    }
  }

  /// What the strategy has covered; nil while it goes on.
  var covered: Coverage? { unsafe strategy.pointee.covered }
  var isIndependent: Bool { unsafe strategy.pointee.isIndependent }
  func planned(schedules: Int) { unsafe strategy.pointee.planned(schedules: schedules) }
  func roundEnded() { unsafe strategy.pointee.roundEnded() }

  /// Whether the execution is over: what is still asked is natural, and goes on no tape.
  private var isMuted = false

  func mute() {
    isMuted = true
    follows = false
    followsDependencies = false
  }

  func begin(_ number: Int, seed: UInt64) {
    isMuted = false
    tape.removeAll()
    unsafe strategy.pointee.began(number, seed: seed)
    unsafe follows = strategy.pointee.followsCandidates
    unsafe followsDependencies = strategy.pointee.followsDependencies
  }

  func end(_ summary: ExecutionSummary) { unsafe strategy.pointee.ended(summary) }

  func offered(_ candidate: Candidate) { unsafe strategy.pointee.offered(candidate) }
  func withdrew(_ candidate: Candidate) { unsafe strategy.pointee.withdrew(candidate) }
  func took(_ candidate: Candidate) { unsafe strategy.pointee.took(candidate) }

  func accessed(_ object: SharedObject, _ access: SharedObject.Access) {
    unsafe strategy.pointee.accessed(object, access)
  }
  func timePassed() { unsafe strategy.pointee.timePassed() }
  func acted(_ action: Int) { unsafe strategy.pointee.acted(action) }

  /// Decides among `options`, of which there may be only one: then nothing is asked and nothing recorded.
  func choose(_ kind: Choice.Kind, options: Int) -> Int {
    guard options > 1, !isMuted else { return 0 }
    let pick = ask(
      ChoicePoint(kind: kind, options: options, anytime: 0, atTimer: false, position: tape.count))
    guard case .option(let taken) = pick, taken >= 0, taken < options else {
      preconditionFailure("a strategy picked \(pick) of \(options) options of kind \(kind)")
    }
    record(kind, options, taken)
    return taken
  }

  /// Decides as was decided before: the strategy is asked, so that it knows, and has no say.
  func repeatChoices(_ choices: some Sequence<Choice>) {
    for choice in choices {
      let point = ChoicePoint(
        kind: choice.kind, options: choice.options, anytime: 0, atTimer: false, position: tape.count)
      _ = ask(point)
      record(choice.kind, choice.options, choice.taken)
    }
  }

  @inline(__always)
  func ask(_ point: ChoicePoint) -> Pick { unsafe strategy.pointee.pick(point) }

  @inline(__always)
  func record(_ kind: Choice.Kind, _ options: Int, _ taken: Int) {
    tape.append(kind, options: options, taken: taken)
  }
}
