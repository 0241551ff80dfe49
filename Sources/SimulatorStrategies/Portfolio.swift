public import SimulatorStrategyInterface

extension Strategies {
  /// Runs several strategies in turn, because no single one finds everything.
  ///
  /// The natural order comes first, then a rotation of strategies. Each finds something early that another finds late.
  /// Part of the rotation stays close to the natural order, because most published bugs need one or two deviations. If
  /// more than the order of steps is open, the random walk gets two turns of five, because it meets several unlikely
  /// values at once sooner than the others do.
  ///
  /// `Benchmarks/SCTBench.md` shows the cost of each strategy, and the cost of the rotation beside the best of them.
  public struct Portfolio: Strategies.PartObserver, Strategies.RoundObserver, Strategies.StartsNaturally,
    Strategies.IndependentSampling, Strategies.Divisible, Strategies.Foreseeing
  {
    private enum Turn {
      case natural, single, few, random, feedback, urw, surw
    }

    /// The rotation if only the order of steps is open.
    private static let ofOrders: [Turn] = [
      .surw, .feedback, .urw, .feedback, .surw, .single, .feedback, .urw, .surw, .feedback,
      .surw, .feedback, .urw, .feedback, .surw, .few, .random, .urw, .surw, .feedback,
    ]
    /// The rotation for preemptible steps. Feedback hardly helps there: it takes as many schedules as the random walk.
    private static let ofParts: [Turn] = [
      .urw, .surw, .surw, .urw, .surw, .single, .surw, .urw, .surw, .random,
      .surw, .urw, .surw, .few, .urw, .surw, .single, .surw, .urw, .surw,
    ]
    /// The rotation if replies, faults, timers, or actions are open too.
    private static let ofValues: [Turn] = [
      .surw, .random, .single, .urw, .random, .feedback, .random, .urw, .random, .surw,
      .random, .few, .urw, .random, .feedback, .random, .single, .surw, .random, .urw,
    ]

    /// True if the natural order had decisions about more than the order of steps.
    private var meetsValues = false
    /// True if the natural order met a preemption point.
    private var meetsParts = false
    private var turn = Turn.natural
    private var random = Strategies.RandomWalk()
    private var feedback = Strategies.Feedback()
    private var urw = Strategies.URW()
    private var surw = Strategies.SURW()
    private var few = FewDeviations()
    private var rotated = 0

    /// Creates the portfolio.
    public init() {}

    public var isIndependent: Bool { turn == .random }
    public var followsCandidates: Bool {
      switch turn {
      case .natural, .feedback, .urw, .surw: true
      case .single, .few, .random: false
      }
    }

    public var followsParts: Bool { followsCandidates }

    public mutating func began(_ number: Int, seed: UInt64) {
      turn = nextTurn()
      switch turn {
      case .natural:
        surw.began(number, seed: seed)
        urw.began(number, seed: seed)
        feedback.began(number, seed: seed)
        few.began(number, seed: seed)
      case .single: few.beganSingle(number, seed: seed)
      case .few: few.began(number, seed: seed)
      case .random: random.began(number, seed: seed)
      case .feedback: feedback.began(number, seed: seed)
      case .urw: urw.began(number, seed: seed)
      case .surw: surw.began(number, seed: seed)
      }
    }

    private mutating func nextTurn() -> Turn {
      if !few.isReady { return .natural }
      while true {
        let rotation = meetsValues ? Self.ofValues : meetsParts ? Self.ofParts : Self.ofOrders
        let next = rotation[rotated % rotation.count]
        rotated += 1
        switch next {
        case .single where few.hasSingles: return .single
        case .single, .few: if few.hasMore { return .few }
        default: return next
        }
      }
    }

    public mutating func offered(_ candidate: Strategies.Candidate) {
      switch turn {
      case .natural:
        surw.offered(candidate)
        urw.offered(candidate)
        feedback.offered(candidate)
      case .feedback: feedback.offered(candidate)
      case .urw: urw.offered(candidate)
      default: surw.offered(candidate)
      }
    }

    public mutating func withdrew(_ candidate: Strategies.Candidate) {
      switch turn {
      case .natural:
        surw.withdrew(candidate)
        urw.withdrew(candidate)
        feedback.withdrew(candidate)
      case .feedback: feedback.withdrew(candidate)
      case .urw: urw.withdrew(candidate)
      default: surw.withdrew(candidate)
      }
    }

    public mutating func took(_ candidate: Strategies.Candidate) {
      switch turn {
      case .natural:
        surw.took(candidate)
        urw.took(candidate)
        feedback.took(candidate)
      case .feedback: feedback.took(candidate)
      case .urw: urw.took(candidate)
      default: surw.took(candidate)
      }
    }

    public mutating func used(_ lock: Int) {
      switch turn {
      case .natural:
        surw.used(lock)
        urw.used(lock)
        feedback.used(lock)
      case .feedback: feedback.used(lock)
      case .urw: urw.used(lock)
      default: surw.used(lock)
      }
    }

    public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      switch turn {
      case .natural: watch(point)
      case .single, .few: few.pick(point)
      case .random: random.pick(point)
      case .feedback: feedback.pick(point)
      case .urw: urw.pick(point)
      case .surw: surw.pick(point)
      }
    }

    package mutating func likelyNext(options: Int) -> Strategies.Pick? {
      switch turn {
      case .natural, .single, .few: nil
      case .random: random.likelyNext(options: options)
      case .feedback: feedback.likelyNext(options: options)
      case .urw: urw.likelyNext(options: options)
      case .surw: surw.likelyNext(options: options)
      }
    }

    /// Takes the natural option and lets every strategy learn the length of an execution.
    private mutating func watch(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
      if point.kind == .preemption { meetsParts = true }
      if point.anytime > 0 || (point.kind != .order && point.kind != .preemption) { meetsValues = true }
      _ = surw.pick(point)
      _ = urw.pick(point)
      _ = feedback.pick(point)
      return few.pick(point)
    }

    public mutating func ended(_ summary: Strategies.ExecutionSummary) {
      switch turn {
      case .natural:
        surw.ended(summary)
        urw.ended(summary)
        feedback.ended(summary)
        few.ended(summary)
      case .single, .few: few.ended(summary)
      case .random: break
      case .feedback: feedback.ended(summary)
      case .urw: urw.ended(summary)
      case .surw: surw.ended(summary)
      }
    }

    public mutating func divide(_ part: Int, of parts: Int) { few.divide(part, of: parts) }

    public mutating func roundEnded() {
      feedback.roundEnded()
      urw.roundEnded()
      surw.roundEnded()
      few.roundEnded()
    }
  }
}
