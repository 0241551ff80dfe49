import Foundation
import Simulator
import SimulatorStrategies
import Synchronization
import Testing

@Suite struct `A reduced search where steps overlap` {
  @Test(arguments: SmallProgram.withLocks)
  func `shows every outcome that all schedules show`(_ program: SmallProgram) {
    let (all, every) = program.allOutcomes(Strategies.ExhaustiveDFS())
    let (some, report) = program.allOutcomes(Strategies.ExhaustiveReduced())
    #expect(every.coverage == .everySchedule, "\(every.incompleteCoverageText ?? "")")
    #expect(report.coverage == .everyBehavior, "\(report.incompleteCoverageText ?? "")")
    #expect(every.hasPreemptibleSteps && report.hasPreemptibleSteps)
    #expect(some == all)
    #expect(Set(report.violations.map(\.invariant)) == Set(every.violations.map(\.invariant)))
    #expect(report.coveredSchedules * 2 < every.coveredSchedules)
  }

  @Test func `tries few schedules of two tasks that take a lock twice each`() {
    let report = SmallProgram.twoUpdates.allOutcomes(Strategies.ExhaustiveReduced()).report
    #expect(report.coveredSchedules == 18)
  }

  @Test func `begins as needed where two tasks take the same lock`() {
    let (found, report) = SmallProgram.twoUpdates.allOutcomes(
      Strategies.ExhaustiveReduced(), steps: .asNeeded)
    #expect(found == ["1", "2"])
    #expect(report.hasPreemptibleSteps)
    #expect(report.coverage == .everyBehavior)
  }

  @Test func `says at which points a step was left, and what it has not seen`() {
    let report = SmallProgram.twoUpdates.allOutcomes(Strategies.ExhaustiveReduced()).report
    let text = report.coveredText ?? ""
    #expect(
      text.hasPrefix("all behaviors explored, in 18 schedules in which a step is left only where it"),
      "\(text)")
    #expect(text.contains("unless "))
    #expect(!report.coverageText.contains("steps overlapped"))
  }

  @Test func `claims nothing where a step has to wait for a Mutex, of which it does not see who takes it`() {
    guard !Simulation.followsAtomics else { return }
    let program = SmallProgram("a task made under a mutex") { _ in
      let number = Held(0)
      let task = Task {
        number.value.withLock {
          $0 += 1
          Task {}
          $0 += 1
        }
      }
      let seen = number.value.withLock { $0 }
      await task.value
      return "\(seen)"
    }
    let report = program.allOutcomes(Strategies.ExhaustiveReduced()).report
    #expect(report.coverage == nil)
    #expect(
      report.incompleteCoverageText?.contains("state is shared through `Mutex`") == true,
      "\(report.incompleteCoverageText ?? "")")
  }
}

extension SmallProgram {
  fileprivate static let twoUpdates = SmallProgram("two updates behind a lock") { _ in
    let number = Behind(0)
    async let first: Void = number.increment()
    async let second: Void = number.increment()
    _ = await (first, second)
    return "\(number.read())"
  }

  /// What an overlap of steps shows, each in a few lines, and few enough schedules to try them all.
  fileprivate static let withLocks: [SmallProgram] = [
    twoUpdates,
    SmallProgram("two locks in opposite order") { _ in
      let (one, two) = (NSLock(), NSLock())
      async let first: Void = nested(one, two)
      async let second: Void = nested(two, one)
      _ = await (first, second)
      return "done"
    },
    SmallProgram("a condition and its signal") { _ in
      let (condition, ready, words) = (Condition(), Guarded(false), Words())
      async let waits: Void = {
        condition.withLock { while !ready.value { condition.wait() } }
        words.add("woken")
      }()
      async let signals: Void = {
        condition.withLock {
          ready.value = true
          condition.signal()
        }
        words.add("signaled")
      }()
      _ = await (waits, signals)
      return words.text
    },
    SmallProgram("a signal that may come before its wait") { _ in
      let condition = Condition()
      async let waits = condition.withLock { condition.wait(seconds: 1) }
      async let signals: Void = condition.signal()
      await signals
      return "\(await waits)"
    },
    SmallProgram("a post and who waits for it") { _ in
      let (semaphore, words) = (Semaphore(0), Words())
      async let waits: Void = {
        semaphore.wait()
        words.add("woken")
      }()
      async let posts: Void = {
        semaphore.post()
        words.add("posts")
      }()
      _ = await (waits, posts)
      return words.text
    },
    SmallProgram("another between two critical sections") { _ in
      let number = Behind(0)
      let task = Task { number.add(1) }
      let (first, second) = (number.add(10), number.read())
      return "\(first) \(second) \(await task.value)"
    },
    SmallProgram("resumed before it is suspended") { _ in
      let words = Words()
      await withCheckedContinuation { continuation in
        Task {
          continuation.resume()
          words.add("task")
        }
        words.add("maker")
      }
      words.add("on")
      return words.text
    },
    SmallProgram("a handler of a cancel that takes the lock") { _ in
      let (number, words) = (Behind(0), Words())
      let task = Task {
        await withTaskCancellationHandler {
          await number.increment()
          words.add("body")
        } onCancel: {
          number.add(10)
          words.add("handler")
        }
      }
      task.cancel()
      await task.value
      return "\(number.read()) \(words.text)"
    },
    SmallProgram("whether it is cancelled") { _ in
      let words = Words()
      let task = Task {
        words.add("begins")
        words.add("\(Task.isCancelled)")
      }
      words.add("maker")
      task.cancel()
      words.add("cancelled")
      await task.value
      return words.text
    },
    SmallProgram("a reader and a writer") { _ in
      let (lock, number, words) = (ReadWriteLock(), Guarded(0), Words())
      async let reads: Void = lock.reading { words.add("\(number.value)") }
      async let writes: Void = {
        lock.writing { number.value += 1 }
        words.add("written")
      }()
      _ = await (reads, writes)
      return words.text
    },
    SmallProgram("read-write locks in opposite order") { _ in
      let (one, two) = (ReadWriteLock(), ReadWriteLock())
      async let first: Void = one.reading { two.writing {} }
      async let second: Void = two.reading { one.writing {} }
      _ = await (first, second)
      return "done"
    },
    SmallProgram("who only tries to take a lock") { _ in
      let (lock, other) = (NSLock(), NSLock())
      let task = Task { takes(lock) }
      lock.withLock { other.withLock {} }
      return "\(await task.value)"
    },
    SmallProgram("an actor whose step is left") { _ in
      let speaker = Speaker()
      async let first: Void = speaker.speak("a")
      async let second: Void = speaker.speak("b")
      _ = await (first, second)
      return await speaker.text
    },
    SmallProgram("the main actor's steps") { _ in
      let words = Words()
      let first = Task { @MainActor in
        words.add("a")
        words.add("b")
      }
      let second = Task { @MainActor in words.add("c") }
      words.add("root")
      await first.value
      await second.value
      return words.text
    },
    SmallProgram("a group's children") { _ in
      let words = Words()
      await withTaskGroup(of: Int.self) { group in
        group.addTask {
          words.add("a")
          return 1
        }
        group.addTask {
          words.add("b")
          return 2
        }
        words.add("maker")
        for await child in group { words.add("\(child)") }
      }
      return words.text
    },
    SmallProgram("a stream and a lock") { _ in
      let number = Behind(0)
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let task = Task {
        var seen = ""
        for await element in stream { seen += "\(element):\(number.read()) " }
        return seen
      }
      continuation.yield(1)
      number.add(5)
      continuation.finish()
      return await task.value
    },
    SmallProgram("a signal at the last moment") { _ in
      let (condition, ready) = (Condition(), Guarded(false))
      async let answer = condition.withLock { "\(condition.wait(seconds: 1)) \(ready.value)" }
      try? await Task.sleep(for: .seconds(1))
      condition.withLock {
        ready.value = true
        condition.signal()
      }
      return await answer
    },
    SmallProgram("an action anytime") { simulation in
      let words = Words()
      simulation.anytime("an action") { words.add("action") }
      let task = Task { words.add("task") }
      words.add("root")
      await task.value
      return words.text
    },
  ]
}

private func nested(_ outer: NSLock, _ inner: NSLock) async { outer.withLock { inner.withLock {} } }

private func takes(_ lock: NSLock) -> Bool {
  guard lock.try() else { return false }
  lock.unlock()
  return true
}

private final class Behind: @unchecked Sendable {
  // @unchecked Sendable because `number` is reached under the lock only.
  private let lock = NSLock()
  private var number: Int

  init(_ number: Int) { self.number = number }

  @discardableResult func add(_ more: Int) -> Int {
    lock.withLock {
      number += more
      return number
    }
  }

  func read() -> Int { lock.withLock { number } }

  func increment() async {
    let before = read()
    lock.withLock { number = before + 1 }
  }
}

private final class Held: Sendable {
  let value: Mutex<Int>
  init(_ value: Int) { self.value = Mutex(value) }
}

private final class Words: @unchecked Sendable {
  // @unchecked Sendable because `words` is reached under the lock only.
  private let lock = NSLock()
  private var words: [String] = []

  func add(_ word: String) { lock.withLock { words.append(word) } }
  var text: String { lock.withLock { words.joined(separator: " ") } }
}

private actor Speaker {
  let words = Words()
  func speak(_ word: String) {
    words.add(word + "1")
    words.add(word + "2")
  }
  var text: String { words.text }
}
