internal import SimulatorCore
internal import SimulatorStrategyInterface

/// A strategy at an address of its own.
///
/// A value of more than three words that is stored in an `any Strategy` is in a box, and every call asks whether that
/// box is shared. This wrapper is one word, and in no box. Its maker owns the address, and all copies refer to the same
/// strategy.
///
/// It conforms to each protocol that the strategy conforms to. None of these protocols has a default implementation, so
/// a requirement that is added to one of them does not compile before it is forwarded here.
@safe struct InPlace<Base: SchedulingStrategy>: SchedulingStrategy {
  // Safe: only the chooser makes one, on the scheduler's thread, and frees the address once nothing calls the strategy
  // any more.
  nonisolated(unsafe) private let base: UnsafeMutablePointer<Base>

  init(_ base: UnsafeMutablePointer<Base>) { unsafe self.base = base }

  mutating func began(_ number: Int, seed: UInt64) { unsafe base.pointee.began(number, seed: seed) }
  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { unsafe base.pointee.pick(point) }
  mutating func ended(_ summary: Strategies.ExecutionSummary) { unsafe base.pointee.ended(summary) }
}

extension InPlace: Strategies.CandidateObserver where Base: Strategies.CandidateObserver {
  var followsCandidates: Bool { unsafe Self.followsCandidates(&base.pointee) }
  mutating func offered(_ candidate: Strategies.Candidate) { unsafe base.pointee.offered(candidate) }
  mutating func withdrew(_ candidate: Strategies.Candidate) { unsafe base.pointee.withdrew(candidate) }
  mutating func took(_ candidate: Strategies.Candidate) { unsafe base.pointee.took(candidate) }

  // By reference, here and below: a property behind a pointer would be read from a copy.
  private static func followsCandidates(_ base: inout Base) -> Bool { base.followsCandidates }
}

extension InPlace: Strategies.PartObserver where Base: Strategies.PartObserver {
  var followsParts: Bool { unsafe Self.followsParts(&base.pointee) }
  mutating func used(_ lock: Int) { unsafe base.pointee.used(lock) }

  private static func followsParts(_ base: inout Base) -> Bool { base.followsParts }
}

extension InPlace: Strategies.DependencyObserver where Base: Strategies.DependencyObserver {
  var followsDependencies: Bool { unsafe Self.followsDependencies(&base.pointee) }
  mutating func timePassed() { unsafe base.pointee.timePassed() }
  mutating func acted(_ action: Int) { unsafe base.pointee.acted(action) }
  mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.Access) {
    unsafe base.pointee.accessed(object, access)
  }

  private static func followsDependencies(_ base: inout Base) -> Bool { base.followsDependencies }
}

extension InPlace: Strategies.RoundObserver where Base: Strategies.RoundObserver {
  mutating func roundEnded() { unsafe base.pointee.roundEnded() }
}

extension InPlace: Strategies.Foreseeing where Base: Strategies.Foreseeing {
  mutating func likelyNext(options: Int) -> Strategies.Pick? {
    unsafe base.pointee.likelyNext(options: options)
  }
}

extension InPlace: Strategies.Divisible where Base: Strategies.Divisible {
  mutating func divide(_ part: Int, of parts: Int) { unsafe base.pointee.divide(part, of: parts) }
}

extension InPlace: Strategies.StartsNaturally where Base: Strategies.StartsNaturally {}

extension InPlace: Strategies.Covering where Base: Strategies.Covering {
  var goal: Strategies.Coverage { unsafe base.pointee.goal }
  var covered: Strategies.Coverage? { unsafe Self.covered(&base.pointee) }

  private static func covered(_ base: inout Base) -> Strategies.Coverage? { base.covered }
}

extension InPlace: Strategies.IndependentSampling where Base: Strategies.IndependentSampling {
  var isIndependent: Bool { unsafe Self.isIndependent(&base.pointee) }

  private static func isIndependent(_ base: inout Base) -> Bool { base.isIndependent }
}
