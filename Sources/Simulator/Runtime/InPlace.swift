/// A strategy at an address of its own.
///
/// Stored in an `any Strategy`, a value of more than three words is in a box, of which every call asks whether somebody
/// shares it. This one is a word, and in no box. Whoever makes it frees it, once, and makes no use of copies.
@safe struct InPlace<Base: Strategy>: Strategy, HeldInPlace {
  // Safe: only the chooser makes one, on the scheduler's thread, and frees it when it takes another strategy.
  nonisolated(unsafe) private let base: UnsafeMutablePointer<Base>

  init(_ strategy: Base) {
    unsafe base = .allocate(capacity: 1)
    unsafe base.initialize(to: strategy)
  }

  var value: any Strategy { unsafe base.pointee }

  func free() {
    unsafe base.deinitialize(count: 1)
    unsafe base.deallocate()
  }

  var followsCandidates: Bool { unsafe Self.followsCandidates(&base.pointee) }
  var followsDependencies: Bool { unsafe Self.followsDependencies(&base.pointee) }
  var startsNaturally: Bool { unsafe base.pointee.startsNaturally }
  var isIndependent: Bool { unsafe Self.isIndependent(&base.pointee) }
  var goal: Coverage? { unsafe base.pointee.goal }
  var covered: Coverage? { unsafe Self.covered(&base.pointee) }
  mutating func planned(schedules: Int) { unsafe base.pointee.planned(schedules: schedules) }
  mutating func began(_ number: Int, seed: UInt64) { unsafe base.pointee.began(number, seed: seed) }
  mutating func offered(_ candidate: Candidate) { unsafe base.pointee.offered(candidate) }
  mutating func withdrew(_ candidate: Candidate) { unsafe base.pointee.withdrew(candidate) }
  mutating func took(_ candidate: Candidate) { unsafe base.pointee.took(candidate) }
  mutating func timePassed() { unsafe base.pointee.timePassed() }
  mutating func acted(_ action: Int) { unsafe base.pointee.acted(action) }
  mutating func accessed(_ object: SharedObject, _ access: SharedObject.Access) {
    unsafe base.pointee.accessed(object, access)
  }
  mutating func pick(_ point: ChoicePoint) -> Pick { unsafe base.pointee.pick(point) }
  mutating func ended(_ summary: ExecutionSummary) { unsafe base.pointee.ended(summary) }
  mutating func roundEnded() { unsafe base.pointee.roundEnded() }

  // Asked once for each execution, so by reference: a property behind a pointer would be asked of a copy.
  private static func followsCandidates(_ base: inout Base) -> Bool { base.followsCandidates }
  private static func followsDependencies(_ base: inout Base) -> Bool { base.followsDependencies }
  private static func isIndependent(_ base: inout Base) -> Bool { base.isIndependent }
  private static func covered(_ base: inout Base) -> Coverage? { base.covered }
}

/// Whatever is in an ``InPlace``.
protocol HeldInPlace {
  /// A copy of the strategy.
  var value: any Strategy { get }
  func free()
}
