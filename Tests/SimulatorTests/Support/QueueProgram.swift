import Foundation
import Simulator

/// A small program as apps had them before they had tasks, with one fault; and the same with the fault mended.
struct QueueProgram: Sendable, CustomStringConvertible {
  let description: String
  /// What it must not come to.
  let invariant: String
  let body: @Sendable (Simulation, _ isMended: Bool) async -> Void

  /// Whether its fault is that something waits for ever.
  var blocksForEver: Bool { invariant == Invariant.BuiltIn.deadlock }

  init(
    _ description: String, violates invariant: String,
    _ body: @escaping @Sendable (Simulation, _ isMended: Bool) async -> Void
  ) {
    self.description = description
    self.invariant = invariant
    self.body = body
  }

  func explored(isMended: Bool, schedules: Int) -> Explorer.Report {
    var explorer = Explorer(name: description) { [body] in await body($0, isMended) }
    explorer.budget.schedules = schedules
    explorer.budget.shrinkingExecutions = 0
    return explorer.explore()
  }

  /// What is confined to a queue.
  fileprivate final class Confined<Value>: @unchecked Sendable {
    // @unchecked Sendable because the queue that it belongs to keeps its uses apart.
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private static func all(_ group: DispatchGroup) async {
    await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
  }

  static let all = [
    QueueProgram("a cache with readers and a barrier makes a value twice", violates: "made once") {
      simulation, isMended in
      let queue = DispatchQueue(label: "cache", attributes: .concurrent)
      let (values, made) = (Confined<[String: Int]>([:]), Confined(0))
      let group = DispatchGroup()
      for _ in 1...2 {
        DispatchQueue.global().async(group: group) {
          if queue.sync(execute: { values.value["a"] }) != nil { return }
          queue.async(group: group, flags: .barrier) {
            if isMended, values.value["a"] != nil { return }
            made.value += 1
            values.value["a"] = 1
          }
        }
      }
      await all(group)
      if made.value != 1 { simulation.fail("made once", "\(made.value) times") }
    },
    QueueProgram("a slow answer replaces a newer one", violates: "the newest is shown") {
      simulation, isMended in
      let shown = Confined("")
      let newest = Confined(0)
      let group = DispatchGroup()
      for (number, delay) in [(1, 1.0), (2, simulation.choose(among: [1.0, 2.0]))] {
        group.enter()
        DispatchQueue.main.async {
          newest.value = number
          DispatchQueue.global().asyncAfter(deadline: .now() + delay) {
            DispatchQueue.main.async {
              if !isMended || number == newest.value { shown.value = "\(number)" }
              group.leave()
            }
          }
        }
      }
      await all(group)
      if shown.value != "2" { simulation.fail("the newest is shown", shown.value) }
    },
    QueueProgram("a semaphore waits on the queue that would signal it", violates: Invariant.BuiltIn.deadlock)
    {
      _, isMended in
      let work = DispatchQueue(label: "work")
      let group = DispatchGroup()
      work.async(group: group) {
        let done = DispatchSemaphore(value: 0)
        let answers = isMended ? DispatchQueue(label: "answers") : work
        DispatchQueue.global().async { answers.async { done.signal() } }
        done.wait()
      }
      await all(group)
    },
    QueueProgram("a group is left once too seldom", violates: Invariant.BuiltIn.deadlock) {
      simulation, isMended in
      let group = DispatchGroup()
      let failed = Confined(false)
      let queue = DispatchQueue(label: "results")
      for number in 1...2 {
        group.enter()
        DispatchQueue.global().async {
          queue.async {
            if number == 2, failed.value == false, !isMended { return }
            failed.value = true
            group.leave()
          }
        }
      }
      await all(group)
    },
    QueueProgram("a timer fires after it was stopped", violates: "nothing after the stop") {
      simulation, isMended in
      let queue = DispatchQueue(label: "timer")
      let isStopped = Confined(false)
      // Safe: a source may be used on any thread.
      nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
      unsafe timer.schedule(deadline: .now() + 1, repeating: 1)
      unsafe timer.setEventHandler {
        if isMended, isStopped.value { return }
        if isStopped.value { simulation.fail("nothing after the stop", "it fired") }
      }
      unsafe timer.resume()
      try? await Task.sleep(for: .seconds(1))
      await withCheckedContinuation { waiting in
        queue.async {
          isStopped.value = true
          DispatchQueue.main.async {
            unsafe timer.cancel()
            waiting.resume()
          }
        }
      }
      try? await Task.sleep(for: .seconds(2))
    },
    QueueProgram("two accounts lock each other", violates: Invariant.BuiltIn.deadlock) { _, isMended in
      let (one, two) = (DispatchQueue(label: "one"), DispatchQueue(label: "two"))
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { one.sync { two.sync {} } }
      DispatchQueue.global().async(group: group) {
        if isMended { one.sync { two.sync {} } } else { two.sync { one.sync {} } }
      }
      await all(group)
    },
    QueueProgram("a handler comes too late to be called", violates: Invariant.BuiltIn.deadlock) {
      _, isMended in
      let queue = DispatchQueue(label: "loader")
      let (handlers, answer) = (Confined<[@Sendable () -> Void]>([]), Confined(false))
      let group = DispatchGroup()
      group.enter()
      queue.async { handlers.value.append { group.leave() } }
      DispatchQueue.global().async {
        queue.async {
          answer.value = true
          for handler in handlers.value { handler() }
          handlers.value = []
        }
      }
      group.enter()
      DispatchQueue.global().async {
        queue.async {
          if isMended, answer.value { group.leave() } else { handlers.value.append { group.leave() } }
        }
      }
      await all(group)
    },
    QueueProgram("a counter is read and written under two locks", violates: "nothing is lost") {
      simulation, isMended in
      let (lock, number) = (NSLock(), Confined(0))
      here {
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
          if isMended { return lock.withLock { number.value += 1 } }
          let seen = lock.withLock { number.value }
          lock.withLock { number.value = seen + 1 }
        }
      }
      if number.value != 2 { simulation.fail("nothing is lost", "\(number.value)") }
    },
    QueueProgram("a place in a throttle is not given back", violates: Invariant.BuiltIn.deadlock) {
      simulation, isMended in
      let places = DispatchSemaphore(value: 1)
      let queue = DispatchQueue(label: "failures")
      let failures = Confined(0)
      let group = DispatchGroup()
      for number in 1...2 {
        DispatchQueue.global().async(group: group) {
          places.wait()
          let isSecond = queue.sync { () -> Bool in
            failures.value += 1
            return failures.value == 1 && number == 2
          }
          if isSecond, !isMended { return }
          places.signal()
        }
      }
      await all(group)
    },
    QueueProgram("an old timeout hides a new banner", violates: "the new banner stays") {
      simulation, isMended in
      let banner = Confined<String?>(nil)
      let hiding = Confined<DispatchWorkItem?>(nil)
      @Sendable func show(_ text: String) {
        if isMended { hiding.value?.cancel() }
        banner.value = text
        let item = DispatchWorkItem { banner.value = nil }
        hiding.value = item
        DispatchQueue.main.asyncAfter(deadline: .now() + 3, execute: item)
      }
      DispatchQueue.main.async { show("first") }
      DispatchQueue.main.asyncAfter(deadline: .now() + simulation.choose(among: [4.0, 2.0])) {
        show("second")
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
          if banner.value == nil { simulation.fail("the new banner stays", "it is hidden") }
        }
      }
      try? await Task.sleep(for: .seconds(10))
    },
    QueueProgram("an operation runs although what it needs was cancelled", violates: "nothing without it") {
      simulation, isMended in
      let queue = OperationQueue()
      let (lock, loaded) = (NSLock(), Confined(false))
      let load = BlockOperation()
      load.addExecutionBlock { lock.withLock { loaded.value = true } }
      let show = BlockOperation()
      show.addExecutionBlock {
        if isMended, !lock.withLock({ loaded.value }) { return }
        if !lock.withLock({ loaded.value }) { simulation.fail("nothing without it", "nothing was loaded") }
      }
      show.addDependency(load)
      Task { load.cancel() }
      queue.addOperation(load)
      queue.addOperation(show)
      await withCheckedContinuation { waiting in queue.addBarrierBlock { waiting.resume() } }
    },
    QueueProgram(
      "an operation that is cancelled as its answer comes finishes twice", violates: "finished once"
    ) {
      simulation, isMended in
      let (queue, finishes) = (OperationQueue(), Confined(0))
      let loading = Loading(isMended: isMended) { finishes.value += 1 }
      queue.addOperation(loading)
      DispatchQueue.global().asyncAfter(deadline: .now() + simulation.choose(among: [0.5, 1.0])) {
        loading.cancel()
      }
      await withCheckedContinuation { waiting in queue.addBarrierBlock { waiting.resume() } }
      try? await Task.sleep(for: .seconds(2))
      if finishes.value != 1 { simulation.fail("finished once", "\(finishes.value) times") }
    },
    QueueProgram(
      "a timer of the run loop saves a draft that was thrown away", violates: "nothing is left of it"
    ) {
      simulation, isMended in
      let disk = DispatchQueue(label: "disk")
      let (saved, isThrownAway) = (Confined<String?>(nil), Confined(false))
      await withCheckedContinuation { waiting in
        DispatchQueue.main.async {
          let timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in
            DispatchQueue.global().async {
              disk.async {
                if isMended, isThrownAway.value { return }
                saved.value = "draft"
              }
            }
          }
          DispatchQueue.main.asyncAfter(deadline: .now() + simulation.choose(among: [2.5, 3.0])) {
            timer.invalidate()
            disk.async {
              isThrownAway.value = true
              saved.value = nil
              waiting.resume()
            }
          }
        }
      }
      try? await Task.sleep(for: .seconds(2))
      if disk.sync(execute: { saved.value }) != nil {
        simulation.fail("nothing is left of it", "it is on the disk")
      }
    },
  ]
}

/// An operation that says itself when it executes and has finished: a request that takes a second, and may be cancelled.
private final class Loading: Operation, @unchecked Sendable {
  // @unchecked Sendable because the lock keeps the uses of the state apart.
  private enum State { case ready, executing, finished }
  private let lock = NSLock()
  private var state = State.ready
  private let isMended: Bool
  private let whenFinished: @Sendable () -> Void

  init(isMended: Bool, whenFinished: @escaping @Sendable () -> Void) {
    self.isMended = isMended
    self.whenFinished = whenFinished
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { state == .executing } }
  override var isFinished: Bool { lock.withLock { state == .finished } }

  override func start() {
    if isCancelled { return finish() }
    move(to: .executing)
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.finish() }
  }

  override func cancel() {
    super.cancel()
    if isExecuting { finish() }
  }

  private func finish() {
    if isMended {
      let isFirst = lock.withLock {
        defer { state = .finished }
        return state != .finished
      }
      if !isFirst { return }
    } else if isFinished {
      return
    }
    move(to: .finished)
    whenFinished()
  }

  private func move(to new: State) {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    lock.withLock { state = new }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
