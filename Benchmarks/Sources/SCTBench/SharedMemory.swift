import Synchronization

/// A shared variable: every read and every write is a visit to an actor, and its thread is back on the pool after each.
///
/// Two visits with nothing between would be one to the optimizer, and a hop straight from one actor to another keeps
/// its place in the other's mailbox; two accesses to memory do neither.
struct Register<Value: Sendable>: Sendable {
  private actor Storage {
    private var value: Value

    init(_ value: Value) { self.value = value }

    func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result { change(&value) }
  }

  private let storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  @concurrent func read() async -> Value { await update { $0 } }

  @concurrent func write(_ value: Value) async { await update { $0 = value } }

  /// An access that the original makes atomic.
  @concurrent func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) async -> Result {
    let result = await storage.update(change)
    onPool()
    return result
  }
}

/// A mutex. Whoever comes first after an unlock takes it, woken or not.
struct Lock: Sendable {
  private actor Storage {
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func lock() async {
      while isHeld {
        await withCheckedContinuation { waiting.append($0) }
      }
      isHeld = true
    }

    func unlock() {
      isHeld = false
      if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
  }

  private let storage = Storage()

  @concurrent func lock() async {
    await storage.lock()
    onPool()
  }

  @concurrent func unlock() async {
    await storage.unlock()
    onPool()
  }
}

private let accesses = Atomic(0)

/// Touches memory where the caller stands, so that the optimizer keeps the hops around it.
@inline(never) private func onPool() { accesses.add(1, ordering: .relaxed) }

/// What a thread runs: on the pool, no matter what makes it.
typealias Thread = @concurrent @Sendable () async -> Void

/// Where a thread is made.
private actor Maker {
  func made() { accesses.add(1, ordering: .relaxed) }
}

/// Makes the threads in this order, each with a moment in which those made already may run; then runs `main`, and
/// joins the threads one after the other.
///
/// The moment is a visit to an actor of its own, not a yield: a task that yields lets those go first that it starves, and
/// no thread must run before fifty others are made.
@concurrent func run(_ threads: [Thread], main: Thread = {}) async {
  let maker = Maker()
  var tasks: [Task<Void, Never>] = []
  for thread in threads {
    tasks.append(Task { await thread() })
    await maker.made()
    onPool()
  }
  await main()
  for task in tasks { await task.value }
}
