/// A program drawn by chance over queues, groups, work items, timers, operations and executors, whose owners go away at any
/// moment.
///
/// Each real run of it comes to its end: what waits does so only for work that waits for nothing.
struct OwnedProgram: Sendable, CustomStringConvertible {
  var operations: [Operation]

  /// What a block does, or the root. It has a number by which it is counted.
  struct Body: Sendable, CustomStringConvertible {
    let id: Int
    var operations: [Operation]
    var description: String { "\(id)\(operations)" }
  }

  /// One that is inactive gets its target after its first block, and then begins.
  enum QueueKind: Sendable, CaseIterable { case serial, concurrent, inactive }

  enum Target: Sendable {
    /// None of its own, or a queue that nothing else keeps, or one with two more behind it.
    case none, own, chain, global
    /// The queue in a slot: a lower one, so that no queue comes to itself.
    case slot(Int)
  }

  enum TimerKind: Sendable, CaseIterable {
    case cancelsItself, releasesItself, isDropped, isCancelled, isSuspended, firesThrice
  }

  enum OperationsKind: Sendable, CaseIterable { case inOrder, atOnce, dependent, cancelled }

  /// Slots without a queue stand for a new one, which the operation alone keeps.
  indirect enum Operation: Sendable {
    case makeQueue(Int, QueueKind, Target)
    case dropQueue(Int)
    case async(Int, Body)
    case barrier(Int, Body)
    case after(Int, milliseconds: Int, Body)
    /// By the root only.
    case sync(Int, Body)
    /// Suspends the queue, hands over, and resumes it: by the root only.
    case suspended(Int, Body)
    /// A queue keeps a value, and another one then, or none.
    case keeps(Int, isReplaced: Bool)
    case makeGroup(Int)
    case dropGroup(Int)
    case inGroup(Int, queue: Int, Body)
    case enterAndLeave(Int, queue: Int)
    case notify(Int, queue: Int, Body)
    case makeItem(Int, Body)
    case dropItem(Int)
    case submit(Int, queue: Int)
    case cancel(Int)
    case notifyItem(Int, queue: Int, Body)
    case timer(Int, TimerKind, Body)
    case operations(OperationsKind, underlying: Int?, [Body])
    /// One block signals a semaphore for which another waits.
    case semaphore(Int, Body)
    /// Iterations that make queues.
    case perform(Int, Body)
    case thread(Body)
    case serialExecutor(Int, Body)
    case taskExecutor(Int, Body)
  }

  static let queueSlots = 4
  static let otherSlots = 2

  var description: String { operations.map { "\($0)" }.joined(separator: "; ") }

  /// The programs that lack one thing of this one.
  var smaller: [OwnedProgram] {
    Self.smaller(operations).map { operations in
      var program = self
      program.operations = operations
      return program
    }
  }

  private static func smaller(_ operations: [Operation]) -> [[Operation]] {
    operations.indices.flatMap { index in
      var without = operations
      without.remove(at: index)
      let changed = operations[index].smaller.map { operation in
        var changed = operations
        changed[index] = operation
        return changed
      }
      return [without] + changed
    }
  }

  fileprivate static func smaller(_ body: Body) -> [Body] {
    smaller(body.operations).map { Body(id: body.id, operations: $0) }
  }
}

extension OwnedProgram.Operation {
  /// The same with less in its body.
  fileprivate var smaller: [Self] {
    func less(_ body: OwnedProgram.Body, _ make: (OwnedProgram.Body) -> Self) -> [Self] {
      OwnedProgram.smaller(body).map(make)
    }
    return switch self {
    case .async(let queue, let body): less(body) { .async(queue, $0) }
    case .barrier(let queue, let body): less(body) { .barrier(queue, $0) }
    case .after(let queue, let time, let body): less(body) { .after(queue, milliseconds: time, $0) }
    case .sync(let queue, let body): less(body) { .sync(queue, $0) }
    case .suspended(let queue, let body): less(body) { .suspended(queue, $0) }
    case .inGroup(let group, let queue, let body): less(body) { .inGroup(group, queue: queue, $0) }
    case .notify(let group, let queue, let body): less(body) { .notify(group, queue: queue, $0) }
    case .makeItem(let item, let body): less(body) { .makeItem(item, $0) }
    case .notifyItem(let item, let queue, let body): less(body) { .notifyItem(item, queue: queue, $0) }
    case .timer(let queue, let kind, let body): less(body) { .timer(queue, kind, $0) }
    case .semaphore(let queue, let body): less(body) { .semaphore(queue, $0) }
    case .perform(let count, let body): less(body) { .perform(count, $0) }
    case .thread(let body): less(body) { .thread($0) }
    case .serialExecutor(let queue, let body): less(body) { .serialExecutor(queue, $0) }
    case .taskExecutor(let queue, let body): less(body) { .taskExecutor(queue, $0) }
    default: []
    }
  }
}
