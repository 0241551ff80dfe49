// Release builds are not testable from outside.
#if DEBUG
  import Testing

  @testable import SimulatorCore
  @testable import SimulatorKernel
  @testable import SimulatorStrategies

  @Suite struct `What a strategy will likely take` {
    @Test(arguments: ["random", "pct", "pos", "urw", "feedback"])
    func `is what it takes, where nothing new is offered`(_ name: String) throws {
      let count = 100
      var right = 0
      let strategy = try #require(Strategies.Named.named(name)).make()
      try holding(strategy) { held in
        held.decisions.began(1, seed: 5)
        for id in 0..<count { held.candidates.offered(Self.candidate(id)) }
        var left = (0..<count).map { Strategies.Candidate.ID($0) }
        for step in 0..<count - 2 {
          let likely = held.foresight?.likelyNext(options: left.count)
          let point = Strategies.ChoicePoint(
            kind: .order, options: left.count, anytime: 0, atTimer: false, position: step)
          let taken = try #require(Self.id(held.decisions.pick(point), left))
          if likely.flatMap({ Self.id($0, left) }) == taken { right += 1 }
          held.candidates.took(Self.candidate(Int(taken)))
          left.removeAll { $0 == taken }
        }
      }
      #expect(right > count / 2, "\(right) of \(count)")
    }

    @Test(arguments: Strategies.Named.all.map(\.name).filter { $0 != "reduced" })
    func `changes no schedule`(_ name: String) throws {
      let strategy = try #require(Strategies.Named.named(name)).make()
      let foreseen = tapes(of: strategy, schedules: 3, Self.many)
      let blind = tapes(of: blind(strategy), schedules: 3, Self.many)
      #expect(foreseen == blind)
      #expect(Set(foreseen).count == (name == "natural" ? 1 : 3))
    }

    /// More tasks than the caches have room for, so that their memory is asked for ahead.
    @Sendable private static func many(_ simulation: Simulation) async {
      let tasks = (0..<Scheduler.many + 50).map { number in
        Task {
          try? await Task.sleep(for: .milliseconds(number % 3))
          await Task.yield()
        }
      }
      for task in tasks { await task.value }
    }

    private static func candidate(_ id: Int) -> Strategies.Candidate {
      Strategies.Candidate(
        id: Strategies.Candidate.ID(id), task: UInt64(id) + 1, parent: 0, domain: 0, place: 0, kind: .wake,
        code: UInt64(id % 7), object: 0)
    }

    private static func id(
      _ pick: Strategies.Pick, _ left: [Strategies.Candidate.ID]
    ) -> Strategies.Candidate.ID? {
      switch pick {
      case .option(let option): left.indices.contains(option) ? left[option] : nil
      case .candidate(let id): id
      }
    }
  }

  /// The strategy at an address of its own, as the chooser calls it.
  private func holding<Base: SchedulingStrategy>(
    _ strategy: Base, _ body: (inout HeldStrategy) throws -> Void
  ) rethrows {
    let address = UnsafeMutablePointer<Base>.allocate(capacity: 1)
    unsafe address.initialize(to: strategy)
    defer {
      unsafe address.deinitialize(count: 1)
      unsafe address.deallocate()
    }
    var held = unsafe HeldStrategy(at: address)
    try body(&held)
  }

  private func blind(_ strategy: some SchedulingStrategy) -> any SchedulingStrategy { Blind(base: strategy) }

  /// Another strategy, which does not tell what it will likely take.
  private struct Blind<Base: SchedulingStrategy>: SchedulingStrategy {
    var base: Base

    mutating func began(_ number: Int, seed: UInt64) { base.began(number, seed: seed) }
    mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick { base.pick(point) }
    mutating func ended(_ summary: Strategies.ExecutionSummary) { base.ended(summary) }
  }

  extension Blind: Strategies.CandidateObserver where Base: Strategies.CandidateObserver {
    var followsCandidates: Bool { base.followsCandidates }
    mutating func offered(_ candidate: Strategies.Candidate) { base.offered(candidate) }
    mutating func withdrew(_ candidate: Strategies.Candidate) { base.withdrew(candidate) }
    mutating func took(_ candidate: Strategies.Candidate) { base.took(candidate) }
  }

  extension Blind: Strategies.PartObserver where Base: Strategies.PartObserver {
    var followsParts: Bool { base.followsParts }
    mutating func used(_ lock: Int) { base.used(lock) }
  }

  extension Blind: Strategies.RoundObserver where Base: Strategies.RoundObserver {
    mutating func roundEnded() { base.roundEnded() }
  }

  extension Blind: Strategies.StartsNaturally where Base: Strategies.StartsNaturally {}

  extension Blind: Strategies.Covering where Base: Strategies.Covering {
    var goal: Strategies.Coverage { base.goal }
    var covered: Strategies.Coverage? { base.covered }
  }
#endif
