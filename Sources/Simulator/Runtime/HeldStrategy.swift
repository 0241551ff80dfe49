/// One strategy as the chooser calls it: everything that it is and wants to be told, found once.
///
/// Each part is a pointer to the one strategy, so calling it neither copies the strategy nor asks again what
/// it is.
@safe struct HeldStrategy {
  var decisions: any Strategy
  var candidates: any CandidateObserver
  var dependencies: any DependencyObserver
  var rounds: (any RoundObserver)?
  var budget: (any BudgetObserver)?
  var coverage: (any CoveringStrategy)?
  var independence: (any IndependentSampling)?

  /// The strategy at `base`, where it must stay for as long as this is used.
  init<Base: Strategy>(at base: UnsafeMutablePointer<Base>) {
    let address = UnsafeMutableRawPointer(base)
    unsafe decisions = InPlace(base)
    candidates =
      (Base.self as? any CandidateObserver.Type).map { unsafe Self.candidates($0, address) } ?? Unobserving()
    dependencies =
      (Base.self as? any DependencyObserver.Type).map { unsafe Self.dependencies($0, address) }
      ?? Unobserving()
    rounds = (Base.self as? any RoundObserver.Type).map { unsafe Self.rounds($0, address) }
    budget = (Base.self as? any BudgetObserver.Type).map { unsafe Self.budget($0, address) }
    coverage = (Base.self as? any CoveringStrategy.Type).map { unsafe Self.coverage($0, address) }
    independence = (Base.self as? any IndependentSampling.Type).map {
      unsafe Self.independence($0, address)
    }
  }

  /// The same strategy where the natural order runs and the strategy only watches: it is asked, so that it
  /// learns, and what it picks is ignored.
  var watching: HeldStrategy {
    var held = self
    held.decisions = Natural(decisions)
    held.independence = nil
    return held
  }

  private static func candidates<Base: CandidateObserver>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any CandidateObserver { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func dependencies<Base: DependencyObserver>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any DependencyObserver { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func rounds<Base: RoundObserver>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any RoundObserver { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func budget<Base: BudgetObserver>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any BudgetObserver { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func coverage<Base: CoveringStrategy>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any CoveringStrategy { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }

  private static func independence<Base: IndependentSampling>(
    _: Base.Type, _ address: UnsafeMutableRawPointer
  ) -> any IndependentSampling { unsafe InPlace<Base>(address.assumingMemoryBound(to: Base.self)) }
}

/// Asks the strategy, so that it learns, and takes the natural option.
private struct Natural: Strategy {
  private var watcher: any Strategy

  init(_ watcher: any Strategy) { self.watcher = watcher }

  mutating func began(_ number: Int, seed: UInt64) { watcher.began(number, seed: seed) }
  mutating func ended(_ summary: ExecutionSummary) { watcher.ended(summary) }
  mutating func pick(_ point: ChoicePoint) -> Pick {
    _ = watcher.pick(point)
    return .option(0)
  }
}

/// Stands where a strategy observes nothing.
private struct Unobserving: DependencyObserver {
  var followsCandidates: Bool { false }
  var followsDependencies: Bool { false }
  mutating func began(_ number: Int, seed: UInt64) {}
  mutating func pick(_ point: ChoicePoint) -> Pick { .option(0) }
  mutating func ended(_ summary: ExecutionSummary) {}
  mutating func offered(_ candidate: Candidate) {}
  mutating func withdrew(_ candidate: Candidate) {}
  mutating func took(_ candidate: Candidate) {}
  mutating func timePassed() {}
  mutating func acted(_ action: Int) {}
  mutating func accessed(_ object: SharedObject, _ access: SharedObject.Access) {}
}
