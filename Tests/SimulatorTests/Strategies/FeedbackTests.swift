// Release builds are not testable from outside.
#if DEBUG
  import Testing

  @testable import Simulator
  @testable import SimulatorCore
  @testable import SimulatorKernel
  @testable import SimulatorStrategies

  @Suite struct `A search by feedback` {
    /// Ten tasks write two cells one after the other; one reads both, and sees the first without the second only if it comes
    /// between two writes of one task and before all other second writes.
    @Sendable private static func reordered(_ simulation: Simulation) async throws {
      let (first, second) = (Cell(), Cell())
      await withDiscardingTaskGroup { group in
        for _ in 1...10 {
          group.addTask {
            await first.set(1)
            await Task.yield()
            await second.set(1)
          }
        }
        group.addTask {
          // By nature it comes late.
          for _ in 1...4 { await Task.yield() }
          let (one, two) = (await first.value, await second.value)
          if one == 1, two == 0 { simulation.fail("both or none", "only the first") }
        }
      }
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func `finds what needs one task between two steps of another and before those of many`(seed: UInt64) {
      var explorer = Explorer(name: "reordered", body: Self.reordered)
      explorer.strategy = Strategies.Feedback()
      explorer.seed = seed
      explorer.budget.schedules = 100
      explorer.budget.shrinkingExecutions = 0
      #expect(explorer.explore().violations.map(\.invariant) == ["both or none"])
    }

    // MARK: - Goals

    private static let relation = RelationTable.Relation(place: 1, before: 10, after: 20)

    @Test func `keeps the second event waiting until the first has come`() {
      var goals = RelationGoals()
      goals.began([Self.relation])
      goals.insert(1, at: 1, event: 20, priority: 900)
      goals.insert(2, at: 1, event: 10, priority: 5)
      #expect(goals.top() == 2)
    }

    @Test func `lets nothing come between the two events`() {
      var goals = RelationGoals()
      goals.began([Self.relation])
      goals.insert(1, at: 1, event: 30, priority: 900)
      goals.insert(2, at: 1, event: 20, priority: 5)
      goals.happens(10, at: 1)
      #expect(goals.top() == 2)
    }

    @Test func `goes by priority once the relation has been seen`() {
      var goals = RelationGoals()
      goals.began([Self.relation])
      goals.happens(10, at: 1)
      goals.happens(20, at: 1)
      goals.insert(1, at: 1, event: 20, priority: 900)
      goals.insert(2, at: 1, event: 10, priority: 5)
      #expect(goals.top() == 1)
    }

    @Test func `lets what has to wait run where nothing else can`() {
      var goals = RelationGoals()
      goals.began([Self.relation])
      goals.insert(1, at: 1, event: 20, priority: 900)
      #expect(goals.top() == 1)
      goals.remove(1, at: 1)
      #expect(goals.top() == nil)
    }

    @Test func `leaves other places alone`() {
      var goals = RelationGoals()
      goals.began([Self.relation])
      goals.insert(1, at: 2, event: 20, priority: 900)
      goals.insert(2, at: 2, event: 10, priority: 5)
      #expect(goals.top() == 1)
    }

    @Test func `calls a relation new once`() {
      var table = RelationTable()
      #expect(table.add([Self.relation]) == [Self.relation])
      #expect(table.add([Self.relation]) == [])
      #expect(table.count(of: Self.relation) == 2)
    }
  }
#endif
