import Simulator
import SimulatorStrategies

/// One program in simulation and for real.
struct Comparison {
  let program: Program
  private(set) var simulated: Simulated
  private(set) var real: Set<String> = []
  /// Simulated outcomes that the real runtime came to only when it was held back in the order of the simulation.
  private(set) var confirmed = 0
  /// Simulated outcomes that nobody tried to bring about for real.
  private(set) var untried = 0
  /// Real outcomes that no whole-step schedule shows, by the rule that allows them.
  private(set) var allowed: [Rule: [String]] = [:]
  /// Real outcomes that no search has shown, where none has come to its end: perhaps they take more schedules.
  private(set) var unexplained: [String] = []
  private(set) var faults: [String]
  /// What the searches that have the liberty of a rule have shown, by their seeds; each runs when it is needed.
  private var liberal: [Rule: [Set<String>]] = [:]

  init(_ program: Program, _ options: Options) {
    self.program = program
    simulated = Simulated(program, schedules: options.schedules)
    faults = simulated.faults
    guard faults.isEmpty else { return }
    do throws(RealRuns.Hang) {
      let isLong = program.isTimed && !program.hasCoincidences
      real = try RealRuns.outcomes(of: program, count: isLong ? max(16, options.real / 10) : options.real)
      // A lock is found taken by chance only: no point of the program stands where it is taken.
      for _ in 0..<20 where program.hasTries && !simulated.outcomes.isSubset(of: real) {
        real.formUnion(try RealRuns.outcomes(of: program, count: options.real))
      }
      if program.isRandom { checkDraws(options) }
      for outcome in real.subtracting(simulated.outcomes).sorted() { try explain(outcome, options) }
      try confirm(simulated.outcomes.subtracting(real), options)
    } catch {
      faults.append("a real run has come to no end")
    }
  }

  /// A real outcome that the search has not shown.
  private mutating func explain(_ outcome: String, _ options: Options) throws(RealRuns.Hang) {
    if !simulated.isComplete {
      let (orders, _) = search(program, Strategies.RandomWalk(), options.schedules * 5, seed: 1)
      simulated.add(orders)
      if simulated.orders[outcome] != nil { return }
    }
    let rules: [Rule] = program.isLocked ? [] : [.overlap, .fairness, .slow]
    for rule in rules where rule != .slow || program.isTimed {
      guard shows(outcome, rule, options) else { continue }
      if rule == .slow, program.hasCoincidences, try RealRuns.comesSlowly(outcome, of: program) { break }
      return allowed[rule, default: []].append(outcome)
    }
    guard simulated.isComplete else { return unexplained.append(outcome) }
    faults.append("the real runtime comes to \(outcome), and the search has ended without it")
  }

  /// The real runtime draws other numbers in each run. What comes of them, executions show that draw by chance, and not only the
  /// searches in which they are fixed.
  private mutating func checkDraws(_ options: Options) {
    let expected = real.intersection(simulated.outcomes)
    guard !expected.isSubset(of: simulated.drawn) else { return }
    let more = search(program, Strategies.RandomWalk(), options.schedules * 5, seed: 1)
    simulated.add(more.orders)
    simulated.drawn.formUnion(more.orders.keys)
    faults += expected.subtracting(simulated.drawn).sorted().map {
      "the real runtime comes to \($0), and no execution that draws by chance does"
    }
  }

  /// Whether a simulation that has the liberty of `rule` shows `outcome`.
  private mutating func shows(_ outcome: String, _ rule: Rule, _ options: Options) -> Bool {
    guard let liberty = rule.liberty else { return false }
    for seed in 0..<4 {
      if liberal[rule, default: []].count == seed {
        let strategy: any SchedulingStrategy =
          seed % 2 == 0 ? Strategies.RandomWalk() : Strategies.Portfolio()
        let found = search(program, strategy, options.schedules * 5, liberty, seed: UInt64(seed))
        liberal[rule, default: []].append(Set(found.orders.keys))
      }
      if liberal[rule, default: []][seed].contains(outcome) { return true }
    }
    return false
  }

  /// Simulated outcomes that the real runs have not shown.
  private mutating func confirm(_ missing: Set<String>, _ options: Options) throws(RealRuns.Hang) {
    var random = Strategies.SplitMix64(seed: program.number, stream: 2)
    let isReal = Set(real.map(program.compared))
    let late = missing.filter { isReal.contains(program.compared($0)) }
    if !late.isEmpty { allowed[.release] = late.sorted() }
    let missing = missing.subtracting(late)
    let chosen = missing.sorted().shuffled(using: &random).prefix(options.directed)
    untried = missing.count - chosen.count
    for outcome in chosen {
      let orders = simulated.orders[outcome] ?? []
      let maker = simulated.makers[outcome] ?? program
      switch try RealRuns.confirm(outcome, of: maker, orders: orders, attempts: options.attempts) {
      case .reached: confirmed += 1
      case .stuck where try isDueToPriorities(outcome, options):
        allowed[.priority, default: []].append(outcome)
      case .stuck(let place):
        faults.append(
          "the simulation comes to \(outcome), and the real runtime never does; stuck at \(place)")
      }
    }
  }

  /// Whether `outcome` is there only because tasks have priorities; or comes about for real where they have none.
  private func isDueToPriorities(_ outcome: String, _ options: Options) throws(RealRuns.Hang) -> Bool {
    guard let plain = program.withoutPriorities else { return false }
    let simulated = Simulated(plain, schedules: options.schedules)
    guard let orders = simulated.orders[outcome] else { return true }
    guard case .reached = try RealRuns.confirm(outcome, of: plain, orders: orders, attempts: options.attempts)
    else { return false }
    return true
  }
}

/// Why an outcome may be on one side only.
enum Rule: String, CaseIterable, Hashable {
  /// Seen for real only. The search runs whole steps. For real a step may be held back in its middle. In a simulation in
  /// which a task may be suspended before each thing that it does outside actors, the outcome is there.
  case overlap
  /// Seen for real only. Virtual time moves when nothing can run. For real work may be so slow that a timer fires first. In
  /// a simulation in which a sleep takes any time the outcome is there.
  case slow
  /// Seen for real only. A task that yields goes behind those that it starves, and behind what waits with a higher
  /// priority; for real the others may be held back for longer. The search then claims nothing. In a simulation in which a
  /// task that yields may go on at once the outcome is there.
  case fairness
  /// Simulated only. An actor takes what waits with a higher priority first. For real that shows only when the actor's
  /// thread is held back between two of its steps, within the runtime, where no point of the program is. Without
  /// priorities the outcome is not there, or it comes about for real.
  case priority
  /// Simulated only. The thread of a task releases its result after it has woken those that wait for it. For real that is late
  /// only if the thread is held back in between, within the runtime. The same outcome without it comes about for real.
  case release

  /// What a simulation is allowed that shows such a real outcome; nil if the rule is about simulated ones.
  var liberty: Liberty? {
    switch self {
    case .overlap: Liberty(splits: true)
    case .slow: Liberty(splits: true, isUntimed: true, isUnfair: true)
    case .fairness: Liberty(splits: true, isUnfair: true)
    case .priority, .release: nil
    }
  }
}
