import Foundation
import Synchronization

/// A statement that makes something runnable: it may run before the next statement, or after it.
struct Freeing: Sendable, CustomStringConvertible {
  let description: String
  let program: @Sendable (Notes) async -> Void

  init(_ name: String, _ program: @escaping @Sendable (Notes) async -> Void) {
    description = name
    self.program = program
  }

  init(blocking name: String, _ program: @escaping @Sendable (Notes) -> Void) {
    self.init(name) { notes in program(notes) }
  }
}

/// What a program notes. One that sets something free notes “m” in the next statement; what it sets free notes “0”.
final class Notes: Sendable {
  private let text = Mutex("")
  func note(_ letter: String) { text.withLock { $0 += letter } }
  var all: String { text.withLock { $0 } }
  /// Blocks until both have been noted.
  func wait() { while text.withLock({ $0.count < 2 }) { Thread.sleep(forTimeInterval: 0.001) } }
}

extension DispatchQueue {
  func drain() { sync {} }
}

extension OperationQueue {
  func drain() { waitUntilAllOperationsAreFinished() }
}

extension Freeing {
  static let all = ofQueues + ofOperations + ofTimers + ofTasks + ofThreads + ofLocks + others

  static let ofTasks = [
    Freeing("Task.init") { notes in
      let task = Task { notes.note("0") }
      notes.note("m")
      await task.value
    },
    Freeing("Task.detached") { notes in
      let task = Task.detached { notes.note("0") }
      notes.note("m")
      await task.value
    },
    Freeing("TaskGroup.addTask") { notes in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { notes.note("0") }
        notes.note("m")
      }
    },
    Freeing("async let") { notes in
      async let noting: Void = notes.note("0")
      notes.note("m")
      await noting
    },
    Freeing("TaskGroup.cancelAll") { notes in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          try? await Task.sleep(for: .seconds(1))
          notes.note("0")
        }
        try? await Task.sleep(for: .milliseconds(1))
        group.cancelAll()
        notes.note("m")
      }
    },
    Freeing("Task.cancel") { notes in
      let task = Task {
        try? await Task.sleep(for: .seconds(1))
        notes.note("0")
      }
      try? await Task.sleep(for: .milliseconds(1))
      task.cancel()
      notes.note("m")
      await task.value
    },
    Freeing("CheckedContinuation.resume") { notes in
      let kept = Mutex<CheckedContinuation<Void, Never>?>(nil)
      let task = Task {
        await withCheckedContinuation { continuation in kept.withLock { $0 = continuation } }
        notes.note("0")
      }
      try? await Task.sleep(for: .milliseconds(1))
      kept.withLock { $0.take() }?.resume()
      notes.note("m")
      await task.value
    },
    Freeing("AsyncStream.Continuation.yield") { notes in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let task = Task { for await _ in stream { notes.note("0") } }
      try? await Task.sleep(for: .milliseconds(1))
      continuation.yield(0)
      notes.note("m")
      continuation.finish()
      await task.value
    },
    Freeing("AsyncStream.Continuation.finish") { notes in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let task = Task {
        for await _ in stream {}
        notes.note("0")
      }
      try? await Task.sleep(for: .milliseconds(1))
      continuation.finish()
      notes.note("m")
      await task.value
    },
    Freeing("AsyncThrowingStream.Continuation.finish") { notes in
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
      let task = Task {
        do { for try await _ in stream {} } catch { notes.note("0") }
      }
      try? await Task.sleep(for: .milliseconds(1))
      continuation.finish(throwing: CancellationError())
      notes.note("m")
      await task.value
    },
  ]

  static let ofThreads = [
    Freeing(blocking: "Thread.start") { notes in
      let thread = Thread { notes.note("0") }
      thread.start()
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "Thread.detachNewThread") { notes in
      Thread.detachNewThread { notes.note("0") }
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "NSCondition.signal") { notes in
      let (condition, queue) = (NSCondition(), DispatchQueue(label: "q"))
      let isOpen = Mutex(false)
      queue.async {
        condition.withLock { while !isOpen.withLock({ $0 }) { condition.wait() } }
        notes.note("0")
      }
      isOpen.withLock { $0 = true }
      condition.signal()
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "NSConditionLock.unlock(withCondition:)") { notes in
      let (lock, queue) = (NSConditionLock(condition: 0), DispatchQueue(label: "q"))
      queue.async {
        guard lock.lock(whenCondition: 1, before: .now + 60) else { return }
        notes.note("0")
        lock.unlock()
      }
      lock.lock()
      lock.unlock(withCondition: 1)
      notes.note("m")
      queue.drain()
    },
  ]
}
