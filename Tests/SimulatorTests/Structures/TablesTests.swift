// Release builds are not testable from outside.
#if DEBUG
  import CConcurrencyHooks
  import SimulatorStrategies
  import Testing

  @testable import SimulatorCore
  @testable import SimulatorKernel

  /// Nothing of an execution is left when the next one begins.
  @Suite struct `The tables of an execution` {
    @Test func `every table is used here, and fresh after removeAll`() throws {
      let tables = Tables(mainIdentity: 8)
      use(tables)
      for (name, table) in try all(tables) { #expect(!table.isFresh, "the test does not use \(name)") }
      tables.removeAll()
      for (name, table) in try all(tables) { #expect(table.isFresh, "removeAll forgets \(name)") }
    }

    @Test func `what lies where a lock has been is another thing`() {
      let tables = Tables(mainIdentity: 8)
      let number = { tables.parked.number(of: 16, isLock: true) { false } }
      tables.parked.made(16)
      #expect(number() == 2)
      tables.parked.unmade(16)
      #expect(number() == 0)
    }

    @Test func `a lock that is gone lends its name to none, and each execution counts anew`() {
      var used = UsedObjects()
      used.made(16, by: 1)
      let lock = used.name(of: 16)
      used.unmade(16)
      #expect(!used.isEmpty)
      used.removeAll()
      used.made(32, by: 1)
      #expect(used.name(of: 32) == lock)
      used.unmade(32)
      #expect(used.name(of: 32) != lock)
    }

    private final class Object {}

    private func all(_ tables: Tables) throws -> [(name: String, table: any ExecutionTable)] {
      try Mirror(reflecting: tables).children.map { child in
        (child.label ?? "", try #require(child.value as? any ExecutionTable))
      }
    }

    private func use(_ tables: Tables) {
      let address = unsafe UnsafeMutableRawPointer(bitPattern: 16)!
      tables.queue.append(
        unsafe Arrival(
          job: address, identity: 0, implementation: 0, domain: 0, task: 0, id: 0, kind: .start,
          isEnqueued: false, reopensDomain: false, isYield: false, priority: 0),
        offer: true)
      unsafe tables.timers.set(address, deadline: 1, task: 0)
      _ = unsafe tables.tasks.add(address, parent: -1, domain: 0)
      tables.domains.began(16, place: 1)
      tables.threadPool.begun(tasks: 1, steps: 1, 21, width: 2)
      unsafe tables.results.made(
        0, resultType: unsafeBitCast(Object.self as Any.Type, to: UnsafeRawPointer.self))
      tables.groups.addDiscarded(1, in: 16)
      tables.anytime.add("act") {}
      tables.cancellations.watch(0, Trace.Action(label: "save", name: "save")) {}
      tables.dependencies.begin()
      tables.dependencies.children.append((0, 1))
      tables.fakeCalls.add(1, to: 1)
      tables.escapes.cameBack(["root"], by: nil, at: Escapes.Moment(time: 0, step: 1, digest: 0))
      tables.afterBody.bodyReturned(tables.tasks)
      tables.routes.add(FakeRoute(fake: "network", route: "GET /inbox"))
      tables.yielders.add(1, 0)
      tables.parked.made(16)
      _ = tables.meetings.touched([16], as: .looks, at: 1, inStep: 1, hasActed: false)
      unsafe tables.locks.took(Locks.Held(16, .mutex, task: 0, domain: 0, thread: OpaquePointer(address)))
      tables.locks.begins(
        unsafe Locks.Wait(
          thread: OpaquePointer(address), subject: .signal, object: 16, task: 0, timer: nil, limit: .max))
      tables.dispatch.delay(1, TimerStamp(readings: 0, isCalendar: false))
      _ = tables.threads.made(by: 1)
      _ = tables.processes.launch()
      tables.threads.runs(2)
      let group = unsafe ch_make_group()
      unsafe tables.sources.add(group, queue: group)
      #expect(tables.userExecutors.runs(16, on: 2))
    }
  }
#endif
