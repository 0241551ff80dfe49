import Synchronization

extension LitmusTheme {
  /// Atomics and the standard library's `Mutex`, which are compiled into the code that uses them. A simulation follows them
  /// only in a build with the flag. All but one come to the outcomes of sequential consistency and to no other.
  static let atomics = LitmusTheme(
    "Atomics and Mutex", overlaps: true,
    [
      Litmus(
        "atomic-store-buffering",
        "Two tasks each store 1 into an atomic of their own, then load the other's; sequentially consistent.",
        outcomes: ["0 1", "1 0", "1 1"],
        overlapOnly: ["1 1"],
        atomic: true,
        why: "One order holds all four: the store that comes second in it comes before its own task's load."
      ) {
        let (left, right) = (Word(0), Word(0))
        return await both(
          {
            left.store(1)
            breathe()
            return "\(right.load())"
          },
          {
            right.store(1)
            breathe()
            return "\(left.load())"
          })
      },
      Litmus(
        "atomic-store-buffering-relaxed",
        "The same with relaxed operations.",
        outcomes: ["0 0", "0 1", "1 0", "1 1"],
        overlapOnly: ["0 0", "1 1"],
        weakOnly: ["0 0"],
        atomic: true,
        why: "Each store may become visible after the load that follows it, as in the store buffer of a core."
      ) {
        let (left, right) = (Word(0), Word(0))
        return await both(
          {
            left.word.store(1, ordering: .relaxed)
            return "\(right.word.load(ordering: .relaxed))"
          },
          {
            right.word.store(1, ordering: .relaxed)
            return "\(left.word.load(ordering: .relaxed))"
          })
      },
      Litmus(
        "atomic-message-passing",
        "One task stores data, relaxed, then a flag, releasing; another loads the flag, acquiring, then the data.",
        outcomes: ["0 0", "0 1", "1 1"],
        overlapOnly: ["0 1"],
        atomic: true,
        why: "A load that acquires what a store has released sees all that came before that store."
      ) {
        let (data, flag) = (Word(0), Word(0))
        let reader = Task {
          let seen = flag.word.load(ordering: .acquiring)
          breathe()
          return "\(seen) \(data.word.load(ordering: .relaxed))"
        }
        let writer = Task {
          data.word.store(1, ordering: .relaxed)
          breathe()
          flag.word.store(1, ordering: .releasing)
        }
        await writer.value
        return await reader.value
      },
      Litmus(
        "atomic-load-buffering",
        "Two tasks each load one atomic, then store 1 into the other; sequentially consistent.",
        outcomes: ["0 0", "0 1", "1 0"],
        overlapOnly: ["0 0"],
        atomic: true,
        why: "To load a 1 each, both stores would have to come before the loads that precede them."
      ) {
        let (left, right) = (Word(0), Word(0))
        return await both(
          {
            let seen = left.load()
            breathe()
            right.store(1)
            return "\(seen)"
          },
          {
            let seen = right.load()
            breathe()
            left.store(1)
            return "\(seen)"
          })
      },
      Litmus(
        "atomic-coherence",
        "One task stores 1, then 2, into one atomic; another loads it twice; relaxed.",
        outcomes: ["0 0", "0 1", "0 2", "1 1", "1 2", "2 2"],
        overlapOnly: ["0 1", "0 2", "1 1", "1 2"],
        atomic: true,
        why: "All see the changes of one atomic in one order, however relaxed."
      ) {
        let word = Word(0)
        let reader = Task {
          let first = word.word.load(ordering: .relaxed)
          breathe()
          return "\(first) \(word.word.load(ordering: .relaxed))"
        }
        let writer = Task {
          word.word.store(1, ordering: .relaxed)
          breathe()
          word.word.store(2, ordering: .relaxed)
        }
        await writer.value
        return await reader.value
      },
      Litmus(
        "atomic-independent-reads-of-independent-writes",
        "Two tasks store 1 into one atomic each; two others load both, in opposite order; sequentially consistent.",
        outcomes: allLoads.subtracting(["1 0 | 1 0"]),
        overlapOnly: ["0 1 | 0 1"],
        atomic: true,
        why: "Any mix, except that the two readers cannot see the two stores in opposite orders."
      ) {
        let (left, right) = (Word(0), Word(0))
        let readers = [Task { loadBoth(left, right) }, Task { loadBoth(right, left) }]
        let writers = [Task { left.store(1) }, Task { right.store(1) }]
        for writer in writers { await writer.value }
        return "\(await readers[0].value) | \(await readers[1].value)"
      },
      Litmus(
        "atomic-loaded-and-stored",
        "Two tasks load a number and store one more.",
        outcomes: ["1", "2"],
        overlapOnly: ["1"],
        atomic: true,
        why: "Each operation is atomic, the two together are not: one change may be lost."
      ) {
        let number = Word(0)
        await together({ loadThenStore(number) }, { loadThenStore(number) })
        return "\(number.load())"
      },
      Litmus(
        "atomic-added-to",
        "Two tasks add 1, relaxed, twice each.",
        outcomes: ["4"],
        atomic: true,
        why: "Relaxed says nothing about other memory; an addition is one operation still."
      ) {
        let number = Word(0)
        await together({ addTwice(number) }, { addTwice(number) })
        return "\(number.load())"
      },
      Litmus(
        "atomic-added-to-and-loaded",
        "A task adds 1 twice, another adds 1 and tells what was there, a third loads.",
        outcomes: ["0 0", "0 1", "0 2", "0 3", "1 0", "1 1", "1 2", "1 3", "2 0", "2 1", "2 2", "2 3"],
        overlapOnly: ["0 2", "1 0", "1 1", "1 2", "1 3", "2 1"],
        atomic: true,
        why: "What was there tells how many additions came before; the load comes anywhere."
      ) {
        let number = Word(0)
        let adder = Task { addTwice(number) }
        let answer = await both({ "\(number.add())" }, { "\(number.load())" })
        await adder.value
        return answer
      },
      Litmus(
        "atomic-number-noted-under-a-lock",
        "Two tasks draw a number by adding 1 to an atomic, and note it under a `Mutex`.",
        outcomes: ["01", "10"],
        overlapOnly: ["10"],
        atomic: true,
        why: "The other task may come between the atomic and the lock."
      ) {
        let (number, notes) = (Word(0), Notes())
        await together(
          {
            let own = number.add()
            breathe()
            notes.note("\(own)")
          },
          {
            let own = number.add()
            breathe()
            notes.note("\(own)")
          })
        return notes.text
      },
      Litmus(
        "compare-exchange-in-a-loop",
        "Two tasks add 1 by compare-exchange until it succeeds, and count their failures.",
        outcomes: ["2, 0 failures", "2, 1 failures"],
        overlapOnly: ["2, 1 failures"],
        atomic: true,
        why: "One fails only because the other has succeeded, and then tries with what is there."
      ) {
        let (number, failures) = (Word(0), Word(0))
        await together({ exchangeInLoop(number, failures) }, { exchangeInLoop(number, failures) })
        return "\(number.load()), \(failures.load()) failures"
      },
      Litmus(
        "compare-exchange-after-a-change-and-back",
        "A task loads a 1 and exchanges what it has seen for 3; another stores 2, then 1 again.",
        outcomes: ["saw 1, yes, 1", "saw 1, yes, 3", "saw 1, no, 1", "saw 2, yes, 1", "saw 2, no, 1"],
        overlapOnly: ["saw 1, no, 1", "saw 2, yes, 1", "saw 2, no, 1"],
        atomic: true,
        why: "The exchange compares values: that both stores came since the load, it does not see."
      ) {
        let word = Word(1)
        let first = Task {
          let seen = word.load()
          breathe()
          let (isDone, _) = word.word.compareExchange(
            expected: seen, desired: 3, ordering: .sequentiallyConsistent)
          return "saw \(seen), \(isDone ? "yes" : "no")"
        }
        await Task {
          word.store(2)
          breathe()
          word.store(1)
        }.value
        return "\(await first.value), \(word.load())"
      },
      Litmus(
        "once-flag-with-a-state-between",
        "Two tasks make what is made once: the first says that it makes, then that it has made; the other looks.",
        outcomes: ["made found", "made busy", "found made", "busy made"],
        overlapOnly: ["made busy", "busy made"],
        atomic: true,
        why: "One exchange succeeds. The other task comes before or after the store of the first."
      ) {
        let state = Word(0)
        return await both({ makeOnce(state) }, { makeOnce(state) })
      },
      Litmus(
        "spin-lock",
        "Two tasks note twice with a lock in hand that they take by exchange, in a loop.",
        outcomes: ["a1a2b1b2", "b1b2a1a2"],
        atomic: true,
        spins: true,
        why: "One has the lock at a time, and opens it by a store."
      ) {
        let (lock, notes) = (Word(0), Guarded(""))
        await together(
          { noteTwiceSpinning("a", lock, notes) },
          { noteTwiceSpinning("b", lock, notes) })
        return notes.value
      },
      Litmus(
        "ticket-lock",
        "Two tasks draw a ticket, wait in a loop until it is served, note, and serve the next.",
        outcomes: ["a0b1", "b0a1"],
        atomic: true,
        spins: true,
        why: "Tickets are served in the order in which they were drawn."
      ) {
        let (tickets, served, notes) = (Word(0), Word(0), Guarded(""))
        await together(
          { noteWithTicket("a", tickets, served, notes) },
          { noteWithTicket("b", tickets, served, notes) })
        return notes.value
      },
      Litmus(
        "mutex-taken-once",
        "Two tasks note twice with a `Mutex` in hand.",
        outcomes: ["a1a2b1b2", "b1b2a1a2"],
        atomic: true,
        why: "One has it at a time, whether or not the other has to wait."
      ) {
        let notes = Notes()
        await together({ notes.noteTwice("a") }, { notes.noteTwice("b") })
        return notes.text
      },
      Litmus(
        "mutex-taken-twice",
        "Two tasks read a number under a `Mutex`, and write one more under it again.",
        outcomes: ["1", "2"],
        overlapOnly: ["1"],
        atomic: true,
        why: "The other task may come between the two, and one change is lost."
      ) {
        let number = Held(0)
        await together({ number.readThenWrite() }, { number.readThenWrite() })
        return "\(number.value)"
      },
      Litmus(
        "mutex-tried",
        "A task loads an atomic with a `Mutex` in hand; another takes that if it is free.",
        outcomes: ["free", "busy"],
        overlapOnly: ["busy"],
        atomic: true,
        why: "Who only tries does not wait."
      ) {
        let (number, word) = (Held(0), Word(0))
        let first = Task { number.load(word) }
        let second = Task { number.isFree ? "free" : "busy" }
        await first.value
        return await second.value
      },
      Litmus(
        "double-checked-under-a-mutex",
        "Two tasks make what is made once: each loads a flag, takes a `Mutex` if it is not set, and loads it again.",
        outcomes: ["made 1, locked 1", "made 1, locked 2"],
        overlapOnly: ["made 1, locked 2"],
        atomic: true,
        why: "Both may find the flag unset; under the `Mutex` the second finds it set."
      ) {
        let (flag, made, locked) = (Word(0), Word(0), Held(0))
        await together(
          { makeDoubleChecked(flag, made, locked) },
          { makeDoubleChecked(flag, made, locked) })
        return "made \(made.load()), locked \(locked.value)"
      },
    ])
}

private let allLoads: Set<String> = {
  let pairs = ["0 0", "0 1", "1 0", "1 1"]
  return Set(pairs.flatMap { first in pairs.map { "\(first) | \($0)" } })
}()

/// What two tasks answer, in the order in which they were made.
private func both(
  _ first: @escaping @Sendable () -> String, _ second: @escaping @Sendable () -> String
) async -> String {
  let tasks = [Task { first() }, Task { second() }]
  return "\(await tasks[0].value) \(await tasks[1].value)"
}

private func loadBoth(_ first: Word, _ second: Word) -> String {
  let seen = first.load()
  breathe()
  return "\(seen) \(second.load())"
}

private func loadThenStore(_ number: Word) {
  let seen = number.load()
  breathe()
  number.store(seen + 1)
}

private func addTwice(_ number: Word) {
  number.word.add(1, ordering: .relaxed)
  breathe()
  number.word.add(1, ordering: .relaxed)
}

private func exchangeInLoop(_ number: Word, _ failures: Word) {
  var seen = number.load()
  while true {
    breathe()
    let (isDone, original) = number.word.compareExchange(
      expected: seen, desired: seen + 1, ordering: .sequentiallyConsistent)
    if isDone { return }
    failures.add()
    seen = original
  }
}

private func makeOnce(_ state: Word) -> String {
  let (isMine, original) = state.word.compareExchange(
    expected: 0, desired: 1, ordering: .acquiringAndReleasing)
  guard isMine else { return original == 1 ? "busy" : "found" }
  breathe()
  state.word.store(2, ordering: .releasing)
  return "made"
}

private func noteTwiceSpinning(_ name: String, _ lock: Word, _ notes: Guarded<String>) {
  while lock.word.exchange(1, ordering: .acquiring) == 1 {}
  notes.value += name + "1"
  breathe()
  notes.value += name + "2"
  lock.word.store(0, ordering: .releasing)
}

private func noteWithTicket(_ name: String, _ tickets: Word, _ served: Word, _ notes: Guarded<String>) {
  let own = tickets.add()
  while served.word.load(ordering: .acquiring) != own {}
  breathe()
  notes.value += "\(name)\(own)"
  served.word.store(own + 1, ordering: .releasing)
}

private func makeDoubleChecked(_ flag: Word, _ made: Word, _ locked: Held) {
  guard flag.word.load(ordering: .acquiring) == 0 else { return }
  breathe()
  locked.change { count in
    count += 1
    guard flag.word.load(ordering: .acquiring) == 0 else { return }
    made.add()
    flag.word.store(1, ordering: .releasing)
  }
}

/// An atomic that tasks share.
private final class Word: Sendable {
  let word: Atomic<Int>

  init(_ value: Int) { word = Atomic(value) }

  func load() -> Int { word.load(ordering: .sequentiallyConsistent) }

  func store(_ value: Int) { word.store(value, ordering: .sequentiallyConsistent) }

  /// What was there before.
  @discardableResult func add() -> Int { word.add(1, ordering: .sequentiallyConsistent).oldValue }
}

/// A number that a `Mutex` guards.
private final class Held: Sendable {
  private let number: Mutex<Int>

  init(_ value: Int) { number = Mutex(value) }

  var value: Int { number.withLock { $0 } }

  func readThenWrite() {
    let seen = value
    breathe()
    number.withLock { $0 = seen + 1 }
  }

  func load(_ word: Word) {
    number.withLock { number in
      breathe()
      number += word.load()
    }
  }

  var isFree: Bool { number.withLockIfAvailable { _ in true } ?? false }

  func change(_ body: (inout Int) -> Void) { number.withLock { body(&$0) } }
}

/// A text that a `Mutex` guards. A simulation is told of nothing but that.
private final class Notes: Sendable {
  private let notes = Mutex("")

  var text: String { notes.withLock { $0 } }

  func note(_ entry: String) { notes.withLock { $0 += entry } }

  func noteTwice(_ name: String) {
    notes.withLock { notes in
      notes += name + "1"
      breathe()
      notes += name + "2"
    }
  }
}
