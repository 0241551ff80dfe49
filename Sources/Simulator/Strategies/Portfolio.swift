extension Strategies {
  /// Several strategies in turn, because no one of them finds everything.
  ///
  /// The natural order first; then single deviations from it, all of them if a tenth of the budget suffices,
  /// else as many, spread evenly; then a rotation that spends the rest. Part of it stays close to the natural
  /// order: most published bugs need one deviation or two.
  public struct Portfolio: Strategies.PartObserver, Strategies.RoundObserver, Strategies.BudgetObserver,
    Strategies.StartsNaturally,
    Strategies.IndependentSampling
  {
    private enum Turn {
      case natural, single, few, random, pct, pos, surw, feedback
    }

    private static let rotation: [Turn] = [
      .surw, .few, .random, .pos, .surw, .random, .few, .pct, .surw, .feedback,
    ]

    private static let mostSingles = 100

    private var turn = Turn.natural
    private var random = Strategies.RandomWalk()
    private var pct = Strategies.PCT()
    private var pos = Strategies.POS()
    private var surw = Strategies.SURW()
    private var feedback = Strategies.Feedback()
    private var few = FewDeviations()
    /// How many single deviations come before the rotation, and how many have come.
    private var singlesPlanned = mostSingles
    private var singles = 0
    private var rotated = 0

    /// The portfolio.
    public init() {}

    public var isIndependent: Bool { turn == .random }
    public var followsCandidates: Bool {
      switch turn {
      case .natural, .pct, .pos, .surw: true
      case .single, .few, .random, .feedback: false
      }
    }

    public var followsParts: Bool { followsCandidates }

    public mutating func planned(schedules: Int) { singlesPlanned = min(schedules / 10, Self.mostSingles) }

    public mutating func began(_ number: Int, seed: UInt64) {
      turn = nextTurn()
      switch turn {
      case .natural:
        surw.began(number, seed: seed)
        pos.began(number, seed: seed)
        few.began(number, seed: seed)
      case .single: few.beganSingle(number, seed: seed)
      case .few: few.began(number, seed: seed)
      case .random: random.began(number, seed: seed)
      case .pct: pct.began(number, seed: seed)
      case .pos: pos.began(number, seed: seed)
      case .surw: surw.began(number, seed: seed)
      case .feedback: feedback.began(number, seed: seed)
      }
    }

    private mutating func nextTurn() -> Turn {
      if !few.isReady { return .natural }
      if singles < singlesPlanned, few.hasSingles {
        singles += 1
        return .single
      }
      var next: Turn
      repeat {
        next = Self.rotation[rotated % Self.rotation.count]
        rotated += 1
      } while next == .few && !few.hasMore
      return next
    }

    public mutating func offered(_ candidate: Strategies.Candidate) {
      switch turn {
      case .natural:
        surw.offered(candidate)
        pos.offered(candidate)
      case .pct: pct.offered(candidate)
      case .pos: pos.offered(candidate)
      default: surw.offered(candidate)
      }
    }

    public mutating func withdrew(_ candidate: Strategies.Candidate) {
      switch turn {
      case .natural:
        surw.withdrew(candidate)
        pos.withdrew(candidate)
      case .pct: pct.withdrew(candidate)
      case .pos: pos.withdrew(candidate)
      default: surw.withdrew(candidate)
      }
    }

    public mutating func took(_ candidate: Strategies.Candidate) {
      switch turn {
      case .natural:
        surw.took(candidate)
        pos.took(candidate)
      case .pct: pct.took(candidate)
      case .pos: pos.took(candidate)
      default: surw.took(candidate)
      }
    }

    public mutating func used(_ lock: Int) {
      switch turn {
      case .natural:
        surw.used(lock)
        pos.used(lock)
      case .pos: pos.used(lock)
      default: surw.used(lock)
      }
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      switch turn {
      case .natural: watch(point)
      case .single, .few: few.pick(point)
      case .random: random.pick(point)
      case .pct: pct.pick(point)
      case .pos: pos.pick(point)
      case .surw: surw.pick(point)
      case .feedback: feedback.pick(point)
      }
    }

    /// In the natural order every strategy learns how long an execution is.
    private mutating func watch(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      _ = surw.pick(point)
      _ = pct.pick(point)
      _ = pos.pick(point)
      return few.pick(point)
    }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      switch turn {
      case .natural:
        surw.ended(summary)
        pct.ended(summary)
        pos.ended(summary)
        few.ended(summary)
      case .single, .few: few.ended(summary)
      case .random: break
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
      few.roundEnded()
    }
  }
}

extension SchedulingStrategy where Self == Strategies.Portfolio {
  /// Several strategies in turn: ``Strategies/Portfolio``.
  public static var portfolio: Strategies.Portfolio { Strategies.Portfolio() }
}
