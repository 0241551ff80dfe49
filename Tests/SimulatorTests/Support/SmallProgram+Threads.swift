import Foundation
import Glibc
import Simulator

extension SmallProgram {
  /// A program of threads or run loops, and everything that it can come to.
  static let withThreads = [
    OfQueues("a thread beside its maker", ["ab", "ba"]) { log in
      let (lock, done) = (NSLock(), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        lock.withLock { log.add("a") }
        done.signal()
      }
      lock.withLock { log.add("b") }
      here { done.wait() }
    },
    OfQueues("two threads that add without a lock around both", ["1", "2"]) { log in
      let (lock, done) = (NSLock(), DispatchSemaphore(value: 0))
      for _ in 0..<2 {
        Thread.detachNewThread {
          let number = lock.withLock { log.number }
          lock.withLock { log.number = number + 1 }
          done.signal()
        }
      }
      here { for _ in 0..<2 { done.wait() } }
      log.add("\(log.number)")
    },
    OfQueues("a thread that is joined", ["abc", "bac"]) { log in
      var thread = pthread_t()
      let argument = unsafe Unmanaged.passUnretained(log).toOpaque()
      _ = unsafe pthread_create(
        &thread, nil,
        { argument in
          if let argument = unsafe argument {
            unsafe Unmanaged<QueueLog>.fromOpaque(argument).takeUnretainedValue().add("a")
          }
          return nil
        }, argument)
      log.add("b")
      pthread_join(thread, nil)
      log.add("c")
    },
    OfQueues("each thread has variables of its own", ["12", "21"]) { log in
      let (lock, done) = (NSLock(), DispatchSemaphore(value: 0))
      for number in 1...2 {
        Thread.detachNewThread {
          Thread.current.threadDictionary["number"] = number
          Thread.sleep(forTimeInterval: 1)
          let kept = Thread.current.threadDictionary["number"] as? Int
          lock.withLock { log.add(kept.map { "\($0)" } ?? "none") }
          done.signal()
        }
      }
      here { for _ in 0..<2 { done.wait() } }
    },
    OfQueues("sleeps on threads end in virtual time", ["123"]) { log in
      let done = DispatchSemaphore(value: 0)
      for number in [3, 1, 2] {
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: Double(number))
          log.add("\(number)")
          done.signal()
        }
      }
      here { for _ in 0..<3 { done.wait() } }
    },
    OfQueues("a thread that exits", ["a"]) { log in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        log.add("a")
        done.signal()
        Thread.exit()
        log.add("b")
      }
      here { done.wait() }
    },
    OfQueues("nobody passes a barrier before all have come", ["abAB", "abBA", "baAB", "baBA"]) { log in
      let (lock, done, barrier) = (NSLock(), DispatchSemaphore(value: 0), Barrier(2))
      for (before, after) in ["a": "A", "b": "B"].sorted(by: <) {
        Thread.detachNewThread {
          lock.withLock { log.add(before) }
          barrier.wait()
          lock.withLock { log.add(after) }
          done.signal()
        }
      }
      here { for _ in 0..<2 { done.wait() } }
    },
    OfQueues("one of those at a barrier is told so, each time", ["11"]) { log in
      let (lock, done, barrier) = (NSLock(), DispatchSemaphore(value: 0), Barrier(2))
      for _ in 0..<2 {
        Thread.detachNewThread {
          for round in 1...2 where barrier.wait() { lock.withLock { log.number += round == 1 ? 10 : 1 } }
          done.signal()
        }
      }
      here { for _ in 0..<2 { done.wait() } }
      log.add("\(log.number)")
    },
    OfQueues("threads that wait for work outlive the execution", ["a"]) { log in
      let (condition, done) = (NSCondition(), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        condition.lock()
        log.add("a")
        done.signal()
        while true { condition.wait() }
      }
      here { done.wait() }
    },
  ]

  static let withRunLoops = [
    OfQueues("a timer of the main run loop fires on the main thread", ["true"]) { log in
      await withCheckedContinuation { waiting in
        schedule(after: 1) { _ in
          log.add("\(Thread.isMainThread)")
          MainActor.assumeIsolated { waiting.resume() }
        }
      }
    },
    OfQueues("a timer that repeats until it is invalidated", ["abc"]) { log in
      let letters = Array("abc")
      await withCheckedContinuation { waiting in
        schedule(after: 1, repeats: true) { timer in
          log.add("\(letters[log.number])")
          log.number += 1
          guard log.number == letters.count else { return }
          timer.invalidate()
          waiting.resume()
        }
      }
    },
    OfQueues("a timer beside a block that is due at the same time", ["ab", "ba"]) { log in
      let group = DispatchGroup()
      for _ in 0..<2 { group.enter() }
      schedule(after: 1) { _ in
        log.add("a")
        group.leave()
      }
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
        log.add("b")
        group.leave()
      }
      await isEmpty(group)
    },
    OfQueues("a timer is invalidated as it is due", ["", "a"]) { log in
      await MainActor.run {
        let timer = Timer(fire: Date() + 1, interval: 1, repeats: false) { _ in log.add("a") }
        RunLoop.main.add(timer, forMode: .common)
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { timer.invalidate() }
      }
      try? await Task.sleep(for: .seconds(2))
    },
    OfQueues("a block for the main run loop before one for the main queue", ["ab", "ba"]) { log in
      let group = DispatchGroup()
      for _ in 0..<2 { group.enter() }
      RunLoop.main.perform {
        log.add("a")
        group.leave()
      }
      DispatchQueue.main.async {
        log.add("b")
        group.leave()
      }
      await isEmpty(group)
    },
    OfQueues("the main run loop keeps the order of its blocks", ["12"]) { log in
      let group = DispatchGroup()
      for letter in "12" {
        group.enter()
        RunLoop.main.perform {
          log.add("\(letter)")
          group.leave()
        }
      }
      await isEmpty(group)
    },
    OfQueues("a timer of a thread that runs no loop never fires", ["-"]) { log in
      schedule(after: 1, on: nil) { _ in log.add("task") }
      await withCheckedContinuation { waiting in
        DispatchQueue.global().async {
          _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in log.add("block") }
          waiting.resume()
        }
      }
      try? await Task.sleep(for: .seconds(3))
      log.add("-")
    },
    OfQueues("a block runs the loop of its thread", ["a"]) { log in
      await withCheckedContinuation { waiting in
        DispatchQueue.global().async {
          _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in log.add("a") }
          RunLoop.current.run(until: Date() + 2)
          waiting.resume()
        }
      }
    },
    OfQueues("a timer is due as the run of its loop ends", ["-", "a-"]) { log in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let end = Date() + 0.003
        RunLoop.current.add(
          Timer(fire: end, interval: 0, repeats: false) { _ in log.add("a") }, forMode: .default)
        _ = RunLoop.current.run(mode: .default, before: end)
        log.add("-")
        done.signal()
      }
      here { done.wait() }
    },
    OfQueues("a run loop that a thread runs", ["aatrue"]) { log in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let start = Date()
        let timer = Timer(timeInterval: 1, repeats: true) { _ in log.add("a") }
        timer.fireDate = start + 1
        RunLoop.current.add(timer, forMode: .default)
        RunLoop.current.run(until: start + 2.5)
        log.add("\(Date() >= start + 2.5)")
        done.signal()
      }
      here { done.wait() }
    },
  ]

  private static func schedule(
    after seconds: Double, repeats: Bool = false, on loop: RunLoop? = .main,
    _ block: @escaping @Sendable (Timer) -> Void
  ) {
    let timer = Timer(fire: Date() + seconds, interval: seconds, repeats: repeats, block: block)
    (loop ?? .current).add(timer, forMode: .default)
  }
}
