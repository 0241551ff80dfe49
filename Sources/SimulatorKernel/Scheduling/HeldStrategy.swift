internal import SimulatorCore
internal import SimulatorStrategyInterface

/// A strategy as the chooser calls it. The protocols that the strategy conforms to are found once.
///
/// Each part is a pointer to the same strategy, so a call neither copies the strategy nor asks again what it conforms
/// to.
@safe struct HeldStrategy {
  var decisions: any SchedulingStrategy
  var candidates: any Strategies.CandidateObserver
  var parts: (any Strategies.PartObserver)?
  var dependencies: any Strategies.DependencyObserver
  var rounds: (any Strategies.RoundObserver)?
  var division: (any Strategies.Divisible)?
  var coverage: (any Strategies.Covering)?
  var independence: (any Strategies.IndependentSampling)?
  var foresight: (any Strategies.Foreseeing)?

  /// Holds the strategy at `base`, where it must stay for as long as this is used.
  init<Base: SchedulingStrategy>(at base: UnsafeMutablePointer<Base>) {
    let address = UnsafeMutableRawPointer(base)
    unsafe decisions = InPlace(base)
    candidates =
      (Base.self as? any Strategies.CandidateObserver.Type).map { unsafe Self.candidates($0, address) }
      ?? Unobserving()
    dependencies =
      (Base.self as? any Strategies.DependencyObserver.Type).map { unsafe Self.dependencies($0, address) }
      ?? Unobserving()
    parts = (Base.self as? any Strategies.PartObserver.Type).map { unsafe Self.parts($0, address) }
    rounds = (Base.self as? any Strategies.RoundObserver.Type).map { unsafe Self.rounds($0, address) }
    division = (Base.self as? any Strategies.Divisible.Type).map { unsafe Self.division($0, address) }
    coverage = (Base.self as? any Strategies.Covering.Type).map { unsafe Self.coverage($0, address) }
    independence = (Base.self as? any Strategies.IndependentSampling.Type).map {
      unsafe Self.independence($0, address)
    }
    foresight = (Base.self as? any Strategies.Foreseeing.Type).map { unsafe Self.foresight($0, address) }
  }

  /// The same strategy, held so that it only watches while the natural order runs: it is asked, so that it learns, and
  /// its picks are ignored.
  var watching: HeldStrategy {
    var held = self
    held.decisions = Natural(decisions)
    held.independence = nil
    held.foresight = nil
    return held
  }

  /// Returns the same strategy, held so that `log` records each call to it.
  func noting(in log: StrategyLog) -> HeldStrategy {
    var held = self
    let noting = NotingStrategy(decisions, candidates, parts, dependencies, log)
    held.decisions = noting
    held.candidates = noting
    held.parts = noting
    held.dependencies = noting
    return held
  }

  /// What the entries before a decision about timers say of it.
  struct ToldTimers {
    var timers: ContiguousArray<Strategies.OpenTimer> = []
    var others: ContiguousArray<Int64> = []
  }

  /// Repeats the calls that the strategy got in another process.
  mutating func tell(_ entry: StrategyLog.Entry, _ told: inout ToldTimers) {
    switch entry {
    case .timer(let timer): told.timers.append(timer)
    case .otherInstant(let instant): told.others.append(instant.nanoseconds)
    case .askedOfTimers(let point, let bounds):
      _ = point.about(told.timers, bounds, others: told.others) { decisions.pick($0) }
      told = ToldTimers()
    case .offered(let candidate): candidates.offered(candidate)
    case .withdrew(let candidate): candidates.withdrew(candidate)
    case .took(let candidate): candidates.took(candidate)
    case .used(let lock): parts?.used(lock)
    case .asked(let point): _ = decisions.pick(point)
    case .timePassed: dependencies.timePassed()
    case .acted(let action): dependencies.acted(action)
    case .accessed(let object, let access): dependencies.accessed(object, access)
    }
  }

  private static func candidates<Base: Strategies.CandidateObserver>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any Strategies.CandidateObserver { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func parts<Base: Strategies.PartObserver>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any Strategies.PartObserver { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func dependencies<Base: Strategies.DependencyObserver>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any Strategies.DependencyObserver { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func rounds<Base: Strategies.RoundObserver>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any Strategies.RoundObserver { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func division<Base: Strategies.Divisible>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any Strategies.Divisible { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func coverage<Base: Strategies.Covering>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any Strategies.Covering { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func independence<Base: Strategies.IndependentSampling>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any Strategies.IndependentSampling { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func foresight<Base: Strategies.Foreseeing>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any Strategies.Foreseeing { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }
}

/// Asks the strategy, so that it learns, and takes the natural option.
private struct Natural: SchedulingStrategy {
  private var watcher: any SchedulingStrategy

  init(_ watcher: any SchedulingStrategy) { self.watcher = watcher }

  mutating func began(_ number: Int, seed: UInt64) { watcher.began(number, seed: seed) }
  mutating func ended(_ summary: Strategies.ExecutionSummary) { watcher.ended(summary) }
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    _ = watcher.pick(point)
    return .option(0)
  }
}

/// Takes the place of a strategy that observes nothing.
private struct Unobserving: Strategies.DependencyObserver {
  var followsCandidates: Bool { false }
  var followsDependencies: Bool { false }
  mutating func began(_ number: Int, seed: UInt64) {}
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { .option(0) }
  mutating func ended(_ summary: Strategies.ExecutionSummary) {}
  mutating func offered(_ candidate: Strategies.Candidate) {}
  mutating func withdrew(_ candidate: Strategies.Candidate) {}
  mutating func took(_ candidate: Strategies.Candidate) {}
  mutating func timePassed() {}
  mutating func acted(_ action: Int) {}
  mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.Access) {}
}
