import Dispatch
import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// A step asks, and acts on the answer, though it may have changed meanwhile.
@Suite struct `An answer` {
  /// What a step does about the answer.
  private final class Commits: Sendable {
    private let lock = NSLock()
    private let count = Mutex(0)

    func commit() { lock.withLock { count.withLock { $0 += 1 } } }
    /// How often it was done so far. Asking takes the same lock.
    var soFar: Int { lock.withLock { count.withLock { $0 } } }
  }

  private final class Log: Sendable {
    private let lock = NSLock()
    private let words = Mutex<[String]>([])

    func add(_ word: String) { lock.withLock { words.withLock { $0.append(word) } } }
    var text: String { lock.withLock { words.withLock { $0.joined(separator: " ") } } }
  }

  private struct Shared<Object>: @unchecked Sendable {
    // @unchecked Sendable because these objects may be used from anywhere.
    let object: Object
    init(_ object: Object) { self.object = object }
  }

  /// Never before or always before the change, or after it: what was asked before the change.
  private static let all: Set<String> = ["0 0", "0 1", "1 1"]

  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  // MARK: what is asked, and then done

  @Test func `about the own task holds no longer when a lock is taken`() {
    for outcomes in searchedOutcomes(
      "a task's question",
      {
        let commits = Commits()
        let task = Task.detached { if !Task.isCancelled { commits.commit() } }
        task.cancel()
        let before = commits.soFar
        await task.value
        return "\(before) \(commits.soFar)"
      })
    {
      #expect(outcomes == Self.all)
    }
  }

  @Test func `about another task may change at any moment`() {
    for outcomes in searchedOutcomes(
      "a question about a task",
      {
        let sleeps = Task.detached { try? await Task.sleep(for: .seconds(1)) }
        let asks = Task.detached { sleeps.isCancelled ? "canceled" : "not" }
        sleeps.cancel()
        await sleeps.value
        return await asks.value
      })
    {
      #expect(outcomes == ["canceled", "not"])
    }
  }

  @Test func `about a work item holds no longer when a lock is taken`() {
    for outcomes in searchedOutcomes(
      "a work item's question",
      {
        let (commits, queue) = (Commits(), DispatchQueue(label: "items"))
        nonisolated(unsafe) var item: DispatchWorkItem?
        unsafe item = DispatchWorkItem { if unsafe item?.isCancelled == false { commits.commit() } }
        unsafe item.map { queue.async(execute: $0) }
        unsafe item?.cancel()
        let before = commits.soFar
        queue.sync {}
        defer { unsafe item = nil }
        return "\(before) \(commits.soFar)"
      })
    {
      #expect(outcomes == Self.all)
    }
  }

  @Test func `about the own thread holds no longer when a lock is taken`() {
    for outcomes in searchedOutcomes(
      "a thread's question",
      {
        let (commits, ended) = (Commits(), DispatchSemaphore(value: 0))
        let thread = Thread {
          if !Thread.current.isCancelled { commits.commit() }
          ended.signal()
        }
        thread.start()
        thread.cancel()
        let before = commits.soFar
        Self.wait(for: ended)
        return "\(before) \(commits.soFar)"
      })
    {
      #expect(outcomes == Self.all)
    }
  }

  @Test func `that nothing came in time holds no longer when a lock is taken`() {
    for outcomes in searchedOutcomes(
      "a wait with a limit",
      {
        let (commits, came, group) = (Commits(), DispatchSemaphore(value: 0), DispatchGroup())
        let limit = DispatchTime.now() + .milliseconds(1)
        group.enter()
        DispatchQueue.global().asyncAfter(deadline: limit) {
          came.signal()
          commits.commit()
          group.leave()
        }
        func waits() -> Bool { came.wait(timeout: limit) == .success }
        let hasCome = waits()
        let before = commits.soFar
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        return "\(hasCome ? "came" : "did not") \(before)"
      })
    {
      #expect(outcomes == ["came 0", "came 1", "did not 0", "did not 1"])
    }
  }

  // MARK: what is asked, and changed, once

  @Test func `about a default may be the old one`() {
    for outcomes in searchedOutcomes(
      "a default",
      {
        let defaults = Shared(UserDefaults.standard)
        defaults.object.removeObject(forKey: "is new")
        let task = Task.detached { defaults.object.bool(forKey: "is new") ? "new" : "old" }
        defaults.object.set(true, forKey: "is new")
        return await task.value
      })
    {
      #expect(outcomes == ["new", "old"])
    }
  }

  @Test func `about a thread or a progress may be the old one`() {
    for outcomes in searchedOutcomes(
      "a progress",
      {
        let progress = Shared(Progress(totalUnitCount: 1))
        let task = Task.detached { progress.object.isCancelled ? "new" : "old" }
        progress.object.cancel()
        return await task.value
      })
    {
      #expect(outcomes == ["new", "old"])
    }
    for outcomes in searchedOutcomes(
      "a thread",
      {
        let thread = Shared(Thread {})
        let task = Task.detached { thread.object.isCancelled ? "new" : "old" }
        thread.object.cancel()
        return await task.value
      })
    {
      #expect(outcomes == ["new", "old"])
    }
  }

  // MARK: notifications

  @Test func `to a post may come after the observer has been removed`() {
    for outcomes in searchedOutcomes(
      "a late notification",
      {
        let (log, center) = (Log(), Shared(NotificationCenter()))
        let name = Notification.Name("late")
        let token = center.object.addObserver(forName: name, object: nil, queue: nil) { _ in log.add("block")
        }
        let task = Task.detached { center.object.post(name: name, object: nil) }
        center.object.removeObserver(token)
        log.add("removed")
        await task.value
        return log.text
      })
    {
      #expect(outcomes == ["removed", "block removed", "removed block"])
    }
  }

  @Test func `to a post may be missed by who observes too late`() {
    for outcomes in searchedOutcomes(
      "a missed notification",
      {
        let (log, center) = (Log(), Shared(NotificationCenter()))
        let name = Notification.Name("early")
        let task = Task.detached { center.object.post(name: name, object: nil) }
        let token = center.object.addObserver(forName: name, object: nil, queue: nil) { _ in log.add("came") }
        await task.value
        center.object.removeObserver(token)
        return log.text
      })
    {
      #expect(outcomes == ["", "came"])
    }
  }

  // MARK: cancels

  @Test func `by one operation may come before all of the queue are canceled`() {
    let program = SmallProgram("a cancel of all operations") { _ in
      let (log, queue) = (Log(), OperationQueue())
      queue.maxConcurrentOperationCount = 1
      for name in ["a", "b"] { queue.addOperation { log.add(name) } }
      queue.cancelAllOperations()
      await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
      return log.text
    }
    let (outcomes, _) = program.allOutcomes(Strategies.RandomWalk(), schedules: 1_000, steps: .asNeeded)
    #expect(outcomes == ["", "a", "b", "a b"])
  }

  @Test func `of a child may come between its maker's last statement and the cancel`() {
    let program = SmallProgram("a child that is not awaited") { _ in
      let log = Log()
      @Sendable func child() async {
        log.add(Task.isCancelled ? "stops" : "goes on")
        await Task.yield()
        log.add(Task.isCancelled ? "stops" : "goes on")
      }
      @Sendable func parent() async {
        async let _: Void = child()
        log.add("parent")
      }
      await parent()
      return log.text
    }
    let (outcomes, _) = program.allOutcomes(Strategies.ExhaustiveDFS(), steps: .asNeeded)
    #expect(
      outcomes == [
        "parent stops stops", "parent goes on stops", "parent goes on goes on", "goes on parent stops",
        "goes on parent goes on", "goes on goes on parent",
      ])
  }
}
