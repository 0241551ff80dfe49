public import Simulator
public import SimulatorStrategies

/// The portfolio with another rotation, to measure what one of its strategies is good for.
///
/// It does what ``Strategies/Portfolio`` does. `FewDeviations` is no public strategy: its file is compiled once more.
public struct Rotation: Strategies.PartObserver, Strategies.RoundObserver, Strategies.StartsNaturally {
  /// Whose turn it is.
  public enum Turn: Sendable {
    case single, few, random, feedback, urw, surw
  }

  private static let ofOrders: [Turn] = [
    .surw, .feedback, .urw, .feedback, .surw, .single, .feedback, .urw, .surw, .feedback,
    .surw, .feedback, .urw, .feedback, .surw, .few, .random, .urw, .surw, .feedback,
  ]
  private static let ofParts: [Turn] = [
    .urw, .surw, .surw, .urw, .surw, .single, .surw, .urw, .surw, .random,
    .surw, .urw, .surw, .few, .urw, .surw, .single, .surw, .urw, .surw,
  ]
  private static let ofValues: [Turn] = [
    .surw, .random, .single, .urw, .random, .feedback, .random, .urw, .random, .surw,
    .random, .few, .urw, .random, .feedback, .random, .single, .surw, .random, .urw,
  ]

  private let orders: [Turn]
  private let parts: [Turn]
  private let values: [Turn]
  private var meetsParts = false
  private var meetsValues = false
  /// Nil in the natural order, in which all of them watch.
  private var turn: Turn?
  private var random = Strategies.RandomWalk()
  private var feedback = Strategies.Feedback()
  private var urw = Strategies.URW()
  private var surw = Strategies.SURW()
  private var few = FewDeviations()
  private var rotated = 0

  /// The portfolio without one of its strategies, whose turns the others share in proportion to theirs; nil for all.
  public init(without left: Turn? = nil) {
    orders = Self.ofOrders.filter { $0 != left }
    parts = Self.ofParts.filter { $0 != left }
    values = Self.ofValues.filter { $0 != left }
  }

  public var followsCandidates: Bool {
    switch turn {
    case nil, .feedback, .urw, .surw: true
    case .single, .few, .random: false
    }
  }
  public var followsParts: Bool { followsCandidates }

  public mutating func began(_ number: Int, seed: UInt64) {
    turn = nextTurn()
    if turn == .single { return few.beganSingle(number, seed: seed) }
    if turn == nil || turn == .few { few.began(number, seed: seed) }
    if turn == .random { random.began(number, seed: seed) }
    if turn == nil || turn == .feedback { feedback.began(number, seed: seed) }
    if turn == nil || turn == .urw { urw.began(number, seed: seed) }
    if turn == nil || turn == .surw { surw.began(number, seed: seed) }
  }

  private mutating func nextTurn() -> Turn? {
    if !few.isReady { return nil }
    while true {
      let rotation = meetsValues ? values : meetsParts ? parts : orders
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
    if turn == nil || turn == .feedback { feedback.offered(candidate) }
    if turn == nil || turn == .urw { urw.offered(candidate) }
    if turn == nil || turn == .surw { surw.offered(candidate) }
  }

  public mutating func withdrew(_ candidate: Strategies.Candidate) {
    if turn == nil || turn == .feedback { feedback.withdrew(candidate) }
    if turn == nil || turn == .urw { urw.withdrew(candidate) }
    if turn == nil || turn == .surw { surw.withdrew(candidate) }
  }

  public mutating func took(_ candidate: Strategies.Candidate) {
    if turn == nil || turn == .feedback { feedback.took(candidate) }
    if turn == nil || turn == .urw { urw.took(candidate) }
    if turn == nil || turn == .surw { surw.took(candidate) }
  }

  public mutating func used(_ lock: Int) {
    if turn == nil || turn == .feedback { feedback.used(lock) }
    if turn == nil || turn == .urw { urw.used(lock) }
    if turn == nil || turn == .surw { surw.used(lock) }
  }

  public mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    switch turn {
    case nil: watch(point)
    case .single, .few: few.pick(point)
    case .random: random.pick(point)
    case .feedback: feedback.pick(point)
    case .urw: urw.pick(point)
    case .surw: surw.pick(point)
    }
  }

  private mutating func watch(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    if point.kind == .preemption { meetsParts = true }
    if point.anytime > 0 || (point.kind != .order && point.kind != .preemption) { meetsValues = true }
    _ = surw.pick(point)
    _ = urw.pick(point)
    _ = feedback.pick(point)
    return few.pick(point)
  }

  public mutating func ended(_ summary: Strategies.ExecutionSummary) {
    if turn == nil || turn == .single || turn == .few { few.ended(summary) }
    if turn == nil || turn == .feedback { feedback.ended(summary) }
    if turn == nil || turn == .urw { urw.ended(summary) }
    if turn == nil || turn == .surw { surw.ended(summary) }
  }

  public mutating func roundEnded() {
    feedback.roundEnded()
    urw.roundEnded()
    surw.roundEnded()
    few.roundEnded()
  }
}
