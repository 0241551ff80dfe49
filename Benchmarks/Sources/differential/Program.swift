/// A small program drawn by chance. Every point at which others may come between has a number.
struct Program: Sendable {
  /// What it was drawn from.
  let number: UInt64
  /// What each of the tasks that the root makes does, in order.
  var tasks: [Body]
  /// Their priorities; nil where the root's is kept.
  var priorities: [Priority?]
  /// What the root does when the first task has ended: it frees whoever may still wait.
  var closing: [Operation]
  /// Of which kind its two locks are; empty where tasks share no lock and no atomic.
  var locks: [Lock] = []
  /// What runs each task; empty where all are Swift's, and there are no queues and threads.
  var carriers: [Place] = []
  /// Whether it has objects that tasks look at, and that note their ends.
  var hasObjects = false
  /// Whether its sleeps end together.
  var hasCoincidences = false
  /// What comes of its random numbers, by their operations; nil where they are drawn in each run.
  var draws: [Int: Bool]?

  enum Lock: String, Sendable {
    case nsLock = "NSLock"
    /// It is taken by `lock(before:)`, with a limit that no run comes to.
    case timed = "NSLock, within a minute"
    case pthread = "pthread_mutex_t"
    case mutex = "Mutex"
    case semaphore = "DispatchSemaphore(value: 1)"
  }

  /// Where work is handed over to. The queue `upper` has `serial` as its target. The last two are an `OperationQueue`
  /// each, and `single` runs one operation at a time.
  enum Place: String, Sendable {
    case upper, serial, concurrent, global, main, thread, task, mainActor
    case operations, single
  }

  enum Priority: String, Sendable, CaseIterable { case high, medium, low }

  /// What a task does, one thing after the other.
  struct Body: Sendable {
    let id: Int
    var operations: [Operation]
  }

  /// One thing that a task does. What comes of it goes into the task's own log.
  struct Operation: Sendable {
    let id: Int
    var kind: Kind
  }

  indirect enum Kind: Sendable {
    // Actors.
    case read(cell: Int)
    case set(cell: Int, Int)
    case add(cell: Int)
    /// Reads, then writes one more: two visits.
    case increment(cell: Int)
    /// Calls the other cell from within one.
    case relay
    case count
    case startOnCell(Int)
    case startOnMain(Int)
    // Time.
    case yield
    case sleep(units: Int)
    case sleepUntil(units: Int)
    /// Until so many units after the beginning of the run: all that name the same instant end together.
    case sleepTo(instant: Int)
    /// Its handler looks whether `task` has been cancelled.
    case sleepNotingCancel(task: Int)
    /// A delayed block of a queue cancels `task`.
    case cancelAfter(units: Int, task: Int)
    // Cancels, and tasks that are awaited.
    case cancel(task: Int)
    case value(task: Int)
    case isCancelled
    case isOtherCancelled(task: Int)
    case cancelItself
    // Streams and continuations.
    case send(stream: Int, Int)
    case finish(stream: Int)
    case next(stream: Int)
    case open
    case wait
    // Shared state that no actor owns.
    case note(String)
    case look
    // Locks. Where two are taken, the first comes first; a number stands behind each.
    case section(lock: Int, Section)
    /// Reads in one section, writes one more in the next.
    case twoSections(lock: Int)
    /// Takes the second lock with the first in hand.
    case nested
    /// Does nothing where the lock is not free.
    case tries(lock: Int, Section)
    case signal
    case awaitSignal
    // Atomics.
    case load(Int)
    case store(Int, Int)
    case exchange(Int, Int)
    case compareExchange(Int, expected: Int, Int)
    case increase(Int)
    // Queues and threads.
    case hand(Place, Body)
    case barrier(Body)
    case sync(Place, Body)
    /// Hands over, and waits until it is done.
    case awaited(Place, Body)
    case post
    case pend
    /// Waits within an actor, which is closed until then.
    case pendOnCell
    // Operations.
    /// The second depends on the first.
    case ordered(Place, [Body])
    case barrierBlock(Body)
    /// The queue of operations is suspended meanwhile.
    case paused(Body)
    /// How many operations of the queue may run at once.
    case width(Int)
    // Random numbers.
    case flip(Coin)
    case branch(Coin, [Body])
    // Objects, and `weak` references to them.
    case see(object: Int)
    /// Its owner, an actor, drops it.
    case drop(object: Int)
    /// Keeps it meanwhile, if it is still there.
    case hold(object: Int, Body)
    /// Awaits a task whose result or error is an object, drops it, and looks whether it is still there.
    case result(isError: Bool)
    // Task locals.
    case tagged(Int, Body)
    case tag
    // Tasks within tasks.
    case group(Group, [Body])
    case child(Body, isAwaited: Bool)
    case start(Start, Body, isAwaited: Bool)
  }

  /// What is done with a lock in hand.
  enum Section: Sendable {
    case read
    case set(Int)
    case add
    /// Loads the atomic of that number.
    case load(Int)
  }

  enum Group: String, Sendable, CaseIterable {
    case all, first, throwing, discarding, discardingThrowing, bodyCancels, unlessCancelled
  }

  enum Start: String, Sendable, CaseIterable { case inheriting, detached, immediate, high, low }

  /// Ways to ask for one of two numbers.
  enum Coin: String, Sendable, CaseIterable {
    case bool = "Bool.random()"
    case integer = "Int.random(in: 0..<2)"
    case element = "[0, 1].randomElement()"
  }
}

extension Program {
  /// Whether the order of timers counts.
  var isTimed: Bool { (tasks + [Body(id: -1, operations: closing)]).contains { $0.contains(\.isTimed) } }

  /// How many units of time all its sleeps take together.
  var units: Int { tasks.reduce(0) { $0 + $1.sum(\.units) } }

  /// The same with all tasks of one priority; nil if that is so already.
  var withoutPriorities: Program? {
    var program = self
    program.priorities = priorities.map { _ in nil }
    program.tasks = tasks.map(\.withoutPriorities)
    let hadPriorities = priorities.contains { $0 != nil } || tasks.contains { $0.contains(\.hasPriority) }
    return hadPriorities ? program : nil
  }

  /// The programs that lack one thing of this one.
  var smaller: [Program] {
    var all: [Program] = []
    for index in tasks.indices {
      for body in tasks[index].smaller {
        var program = self
        program.tasks[index] = body
        all.append(program)
      }
      if priorities[index] != nil {
        var program = self
        program.priorities[index] = nil
        all.append(program)
      }
    }
    for index in closing.indices {
      var program = self
      program.closing.remove(at: index)
      if program.isSure { all.append(program) }
    }
    return all
  }

  /// Whether everyone who waits is freed in the end.
  private var isSure: Bool {
    func waits(_ matches: (Kind) -> Bool) -> Bool { tasks.contains { $0.contains(matches) } }
    func closes(_ matches: (Kind) -> Bool) -> Bool { closing.contains { matches($0.kind) } }
    for stream in 0..<2 {
      let asks = waits { if case .next(stream) = $0 { true } else { false } }
      if asks, !closes({ if case .finish(stream) = $0 { true } else { false } }) { return false }
    }
    if waits({ if case .awaitSignal = $0 { true } else { false } }),
      !closes({ if case .signal = $0 { true } else { false } })
    {
      return false
    }
    let pends = tasks.reduce(0) { $0 + $1.sum { $0.pends ? 1 : 0 } }
    if pends > closing.count(where: { if case .post = $0.kind { true } else { false } }) { return false }
    return !waits { if case .wait = $0 { true } else { false } }
      || closes { if case .open = $0 { true } else { false } }
  }
}

extension Program.Body {
  /// Whether something in it, or in what it starts, is so.
  func contains(_ matches: (Program.Kind) -> Bool) -> Bool {
    operations.contains { matches($0.kind) || $0.kind.bodies.contains { $0.contains(matches) } }
  }

  func sum(_ figure: (Program.Kind) -> Int) -> Int {
    operations.reduce(0) { sum, operation in
      sum + figure(operation.kind) + operation.kind.bodies.reduce(0) { $0 + $1.sum(figure) }
    }
  }

  var withoutPriorities: Program.Body {
    var body = self
    for index in operations.indices {
      var kind = operations[index].kind.with(operations[index].kind.bodies.map(\.withoutPriorities))
      if case .start(_, let inner, let isAwaited) = kind, kind.hasPriority {
        kind = .start(.inheriting, inner, isAwaited: isAwaited)
      }
      body.operations[index].kind = kind
    }
    return body
  }

  /// The bodies that lack one thing of this one.
  var smaller: [Program.Body] {
    operations.indices.flatMap { index in
      var without = self
      without.operations.remove(at: index)
      let kind = operations[index].kind
      return [without]
        + kind.bodies.indices.flatMap { inner in
          kind.bodies[inner].smaller.map { body in
            var bodies = kind.bodies
            bodies[inner] = body
            var changed = self
            changed.operations[index].kind = kind.with(bodies)
            return changed
          }
        }
    }
  }
}
