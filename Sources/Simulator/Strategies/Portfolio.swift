/// Several strategies in turn, because no one of them finds everything.
///
/// The natural order first; then single deviations from it, all of them if a tenth of the budget suffices, else as
/// many, spread evenly; then a rotation that spends the rest.
public struct Portfolio: Strategy {
  private enum Turn {
    case natural, deviation, random, pct, pos, surw, feedback
  }

  private static let rotation: [Turn] = [.surw, .pos, .pct, .surw, .random, .pos, .surw, .feedback]

  private var turn = Turn.natural
  private var random = RandomWalk()
  private var pct = PCT()
  private var pos = POS()
  private var surw = SURW()
  private var feedback = Feedback()
  private var deviations = SingleDeviations()

  /// The portfolio.
  public init() {}

  public var startsNaturally: Bool { true }
  public var isIndependent: Bool { turn == .random }
  public var followsCandidates: Bool { turn != .deviation && turn != .random && turn != .feedback }

  public mutating func planned(schedules: Int) { deviations.limit = schedules / 10 }

  public mutating func began(_ number: Int, seed: UInt64) {
    turn = nextTurn()
    switch turn {
    case .natural: surw.began(number, seed: seed)
    case .deviation: deviations.began()
    case .random: random.began(number, seed: seed)
    case .pct: pct.began(number, seed: seed)
    case .pos: pos.began(number, seed: seed)
    case .surw: surw.began(number, seed: seed)
    case .feedback: feedback.began(number, seed: seed)
    }
  }

  private mutating func nextTurn() -> Turn {
    if !deviations.isReady { return .natural }
    if deviations.hasMore { return .deviation }
    defer { rotated += 1 }
    return Self.rotation[rotated % Self.rotation.count]
  }

  private var rotated = 0

  public mutating func offered(_ candidate: Candidate) {
    switch turn {
    case .pct: pct.offered(candidate)
    case .pos: pos.offered(candidate)
    default: surw.offered(candidate)
    }
  }

  public mutating func withdrew(_ candidate: Candidate) {
    switch turn {
    case .pct: pct.withdrew(candidate)
    case .pos: pos.withdrew(candidate)
    default: surw.withdrew(candidate)
    }
  }

  public mutating func took(_ candidate: Candidate) {
    switch turn {
    case .pct: pct.took(candidate)
    case .pos: pos.took(candidate)
    default: surw.took(candidate)
    }
  }

  public mutating func pick(_ point: ChoicePoint) -> Pick {
    switch turn {
    case .natural: watch(point)
    case .deviation: deviations.pick(point)
    case .random: random.pick(point)
    case .pct: pct.pick(point)
    case .pos: pos.pick(point)
    case .surw: surw.pick(point)
    case .feedback: feedback.pick(point)
    }
  }

  /// In the natural order everybody learns how long an execution is.
  private mutating func watch(_ point: ChoicePoint) -> Pick {
    _ = surw.pick(point)
    _ = pct.pick(point)
    _ = pos.pick(point)
    deviations.met(point)
    return .option(0)
  }

  public mutating func ended(_ summary: ExecutionSummary) {
    switch turn {
    case .natural:
      surw.ended(summary)
      pct.ended(summary)
      pos.ended(summary)
      deviations.isReady = true
    case .deviation, .random: break
    case .pct: pct.ended(summary)
    case .pos: pos.ended(summary)
    case .surw: surw.ended(summary)
    case .feedback: feedback.ended(summary)
    }
  }

  public mutating func roundEnded() {
    pct.roundEnded()
    pos.roundEnded()
    surw.roundEnded()
    feedback.roundEnded()
  }
}
