import PosixLock
import Synchronization

/// A variable that the original's threads use without a lock. With the build flag each access is a scheduling point;
/// the original's memory is taken to be sequentially consistent.
final class Variable: Sendable {
  private let atomic: Atomic<Int>

  init(_ value: Int) { atomic = Atomic(value) }

  var value: Int {
    get { atomic.load(ordering: .sequentiallyConsistent) }
    set { atomic.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Adds to the value in one step, as the original does; answers the new one.
  func add(_ summand: Int) -> Int { atomic.add(summand, ordering: .sequentiallyConsistent).newValue }
}

/// A mutex of the original's kind.
typealias ThreadLock = PosixLock

/// Variables that the original's threads use under one lock only: none of them is a scheduling point.
final class Guarded<Value>: @unchecked Sendable {
  // @unchecked Sendable because each program uses it under one lock.
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// Makes the threads in this order, runs `main`, and joins the threads one after the other. Each is a task without an
/// `await`: only where steps overlap does another run in its middle.
@concurrent func runThreads(_ threads: [@Sendable () -> Void], main: @Sendable () -> Void = {}) async {
  var tasks: [Task<Void, Never>] = []
  for thread in threads { tasks.append(Task { @concurrent in thread() }) }
  main()
  for task in tasks { await task.value }
}
