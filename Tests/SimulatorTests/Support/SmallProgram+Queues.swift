import Foundation
import Simulator

/// What blocks write down that a queue keeps apart, or that are one after the other in every schedule.
final class QueueLog: @unchecked Sendable {
  // @unchecked Sendable because a simulation runs one thing at a time.
  private(set) var text = ""
  var number = 0

  func add(_ letter: String) { text += letter }
}

/// Tells of its end.
final class Told: Sendable {
  private let log: QueueLog
  init(_ log: QueueLog) { self.log = log }
  deinit { log.add("d") }
}

/// The owner of a timer source that ticks each second.
private final class Ticker {
  private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticker"))
  init(_ log: QueueLog) {
    let told = Told(log)
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler {
      log.add("t")
      withExtendedLifetime(told) {}
    }
    timer.resume()
  }
}

extension SmallProgram {
  /// A program of queues, and everything that it can come to.
  struct OfQueues: Sendable, CustomStringConvertible {
    let program: SmallProgram
    let outcomes: Set<String>
    var description: String { program.name }

    init(
      _ name: String, _ outcomes: Set<String>, _ body: @escaping @Sendable (QueueLog) async -> Void
    ) {
      self.outcomes = outcomes
      program = SmallProgram(name) { _ in
        let log = QueueLog()
        await body(log)
        return log.text
      }
    }
  }

  /// The words that `first` and `second` can be merged to, each in its own order.
  private static func merged(_ first: String, _ second: String) -> Set<String> {
    guard let one = first.first, let two = second.first else { return [first + second] }
    return Set(merged(String(first.dropFirst()), second).map { "\(one)\($0)" })
      .union(merged(first, String(second.dropFirst())).map { "\(two)\($0)" })
  }

  private static func orders(_ letters: String) -> Set<String> {
    letters.reduce([""]) { words, letter in
      Set(words.flatMap { word in merged(word, String(letter)) })
    }
  }

  static func isEmpty(_ group: DispatchGroup) async {
    await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
  }

  private static func reaches(_ queue: DispatchQueue) async {
    await withCheckedContinuation { waiting in queue.async { waiting.resume() } }
  }

  static let withQueues = [
    OfQueues("a serial queue keeps its order", ["123"]) { log in
      let queue = DispatchQueue(label: "serial")
      for letter in "123" { queue.async { log.add("\(letter)") } }
      await reaches(queue)
    },
    OfQueues("a global queue keeps none", orders("123")) { log in
      let group = DispatchGroup()
      for letter in "123" { DispatchQueue.global().async(group: group) { log.add("\(letter)") } }
      await isEmpty(group)
    },
    OfQueues(
      "two blocks of a serial queue and three of a concurrent one",
      Set(orders("abc").flatMap { merged("12", $0) })
    ) {
      log in
      let (serial, concurrent) = (
        DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent)
      )
      let group = DispatchGroup()
      for letter in "12" { serial.async(group: group) { log.add("\(letter)") } }
      for letter in "abc" { concurrent.async(group: group) { log.add("\(letter)") } }
      await isEmpty(group)
    },
    OfQueues("a barrier runs alone", ["ab|c", "ba|c"]) { log in
      let queue = DispatchQueue(label: "readers", attributes: .concurrent)
      let group = DispatchGroup()
      for letter in "ab" { queue.async(group: group) { log.add("\(letter)") } }
      queue.async(group: group, flags: .barrier) { log.add("|") }
      queue.async(group: group) { log.add("c") }
      await isEmpty(group)
    },
    OfQueues("a work item made with a barrier runs alone", ["ab|", "ba|"]) { log in
      let queue = DispatchQueue(label: "readers", attributes: .concurrent)
      let group = DispatchGroup()
      for letter in "ab" { queue.async(group: group) { log.add("\(letter)") } }
      let item = DispatchWorkItem(flags: .barrier) { log.add("|") }
      queue.async(group: group, execute: item)
      await isEmpty(group)
    },
    OfQueues("two tasks hand over to one queue", ["12", "21"]) { log in
      let queue = DispatchQueue(label: "serial")
      let group = DispatchGroup()
      for letter in "12" {
        group.enter()
        Task {
          queue.async(group: group) { log.add("\(letter)") }
          group.leave()
        }
      }
      await isEmpty(group)
    },
    OfQueues("the main queue is the main actor's", ["123"]) { log in
      DispatchQueue.main.async { log.add("1") }
      Task { @MainActor in log.add("2") }
      DispatchQueue.main.async { MainActor.assumeIsolated { log.add("3") } }
      await reaches(.main)
    },
    OfQueues("asyncAfter in virtual time", ["12"]) { log in
      let queue = DispatchQueue(label: "serial")
      queue.asyncAfter(deadline: .now() + 2) { log.add("2") }
      queue.asyncAfter(deadline: .now() + 1) { log.add("1") }
      try? await Task.sleep(for: .seconds(3))
    },
    OfQueues("asyncAfter against a cancel at the same time", ["", "ran"]) { log in
      let item = DispatchWorkItem { log.add("ran") }
      DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: item)
      Task { @MainActor in
        try? await Task.sleep(for: .seconds(1))
        item.cancel()
      }
      try? await Task.sleep(for: .seconds(2))
    },
    OfQueues("a suspended queue waits", ["-1"]) { log in
      let queue = DispatchQueue(label: "serial")
      queue.suspend()
      queue.async { log.add("1") }
      Task {
        log.add("-")
        queue.resume()
      }
      await reaches(queue)
    },
    OfQueues("a queue that begins later", ["-12"]) { log in
      let queue = DispatchQueue(label: "later", attributes: .initiallyInactive)
      for letter in "12" { queue.async { log.add("\(letter)") } }
      Task {
        log.add("-")
        queue.activate()
      }
      await reaches(queue)
    },
    OfQueues("sync on a queue that has just begun", ["1"]) { log in
      let queue = DispatchQueue(label: "later", attributes: .initiallyInactive)
      queue.activate()
      queue.activate()
      here { queue.sync { log.add("1") } }
    },
    OfQueues("a queue that has its target before it begins", ["ab"]) { log in
      let target = DispatchQueue(label: "target")
      let queue = DispatchQueue(label: "later", attributes: [.initiallyInactive, .concurrent])
      queue.setTarget(queue: target)
      let group = DispatchGroup()
      target.async(group: group) { log.add("a") }
      queue.async(group: group) { log.add("b") }
      queue.activate()
      await isEmpty(group)
    },
    OfQueues("a target drains one queue after the other", ["abc", "acb"]) { log in
      let target = DispatchQueue(label: "target")
      let queue = DispatchQueue(label: "queue", target: target)
      let group = DispatchGroup()
      queue.async(group: group) { log.add("a") }
      target.async(group: group) { log.add("b") }
      queue.async(group: group) { log.add("c") }
      await isEmpty(group)
    },
    OfQueues("sync comes behind what was there", ["12"]) { log in
      let queue = DispatchQueue(label: "serial")
      queue.async { log.add("1") }
      here { queue.sync { log.add("2") } }
    },
    OfQueues("main.sync comes behind what was there", ["12", "21"]) { log in
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { DispatchQueue.main.sync { log.add("1") } }
      DispatchQueue.main.async(group: group) { log.add("2") }
      await isEmpty(group)
    },
    OfQueues("a semaphore is signaled by a task", ["x"]) { log in
      await withCheckedContinuation { waiting in
        DispatchQueue(label: "serial").async {
          let done = DispatchSemaphore(value: 0)
          Task {
            log.add("x")
            done.signal()
          }
          done.wait()
          waiting.resume()
        }
      }
    },
    OfQueues("a wait for a group ends with its time", ["1-", "1+", "-1", "+1"]) { log in
      let group = DispatchGroup()
      DispatchQueue(label: "serial").asyncAfter(deadline: .now() + 1) { [log] in log.add("1") }
      DispatchQueue.global().async(group: group) { Thread.sleep(forTimeInterval: 1) }
      here { log.add(group.wait(timeout: .now() + 1) == .success ? "+" : "-") }
      try? await Task.sleep(for: .seconds(1))
    },
    OfQueues("a work item is cancelled, and tells", ["t", "xt"]) { log in
      let (queue, item) = (DispatchQueue(label: "serial"), DispatchWorkItem { log.add("x") })
      item.notify(queue: queue) { log.add("t") }
      queue.async(execute: item)
      Task { item.cancel() }
      try? await Task.sleep(for: .seconds(1))
    },
    OfQueues("operations one after the other", ["12"]) { log in
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      for letter in "12" { queue.addOperation { log.add("\(letter)") } }
      await withCheckedContinuation { waiting in queue.addBarrierBlock { waiting.resume() } }
    },
    OfQueues("an operation after another", ["21"]) { log in
      let queue = OperationQueue()
      let (one, two) = (BlockOperation { log.add("1") }, BlockOperation { log.add("2") })
      one.addDependency(two)
      queue.addOperation(one)
      queue.addOperation(two)
      await withCheckedContinuation { waiting in queue.addBarrierBlock { waiting.resume() } }
    },
    OfQueues("a repeating timer until it is cancelled", ["ttc"]) { log in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "serial"))
      timer.schedule(deadline: .now() + 1, repeating: 1)
      await withCheckedContinuation { waiting in
        timer.setEventHandler {
          log.add("t")
          if log.text == "tt" { timer.cancel() }
        }
        timer.setCancelHandler {
          log.add("c")
          waiting.resume()
        }
        timer.resume()
      }
    },
    OfQueues("a timer source that is released at once", [""]) { log in
      do {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "serial"))
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler { log.add("t") }
        timer.setCancelHandler { log.add("c") }
        timer.resume()
      }
      try? await Task.sleep(for: .seconds(5))
    },
    OfQueues("a timer source that is released with its owner", ["ttd"]) { log in
      var ticker: Ticker? = Ticker(log)
      try? await Task.sleep(for: .milliseconds(2_500))
      withExtendedLifetime(ticker) {}
      ticker = nil
      try? await Task.sleep(for: .seconds(5))
    },
    OfQueues("a cancelled timer source lets go of what its handler holds", ["-dc"]) { log in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "serial"))
      do {
        let told = Told(log)
        timer.setEventHandler { withExtendedLifetime(told) {} }
      }
      await withCheckedContinuation { waiting in
        timer.setCancelHandler {
          log.add("c")
          waiting.resume()
        }
        timer.activate()
        timer.suspend()
        timer.cancel()
        log.add("-")
        timer.resume()
      }
    },
    OfQueues("iterations at once", ["1", "2"]) { log in
      let lock = NSLock()
      here {
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
          let seen = lock.withLock { log.number }
          lock.withLock { log.number = seen + 1 }
        }
      }
      log.add("\(log.number)")
    },
    OfQueues("a read and a write of a queue are two", ["1", "2"]) { log in
      let queue = DispatchQueue(label: "serial")
      @Sendable func increment() {
        let seen = queue.sync { log.number }
        queue.sync { log.number = seen + 1 }
      }
      async let first: Void = increment()
      async let second: Void = increment()
      _ = await (first, second)
      log.add("\(log.number)")
    },
  ]
}
