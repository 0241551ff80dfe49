import Dispatch
import Foundation

/// Suspends until nothing is in `group` any more.
private func emptied(_ group: DispatchGroup) async {
  await withCheckedContinuation { waiting in group.notify(queue: .global()) { waiting.resume() } }
}

/// Suspends until `queue` has come to what is handed over here.
private func reached(_ queue: DispatchQueue) async {
  await withCheckedContinuation { waiting in queue.async { waiting.resume() } }
}

/// The words that two can be merged to, each in its own order.
private func merged(_ first: String, _ second: String) -> Set<String> {
  guard let one = first.first, let two = second.first else { return [first + second] }
  return Set(merged(String(first.dropFirst()), second).map { "\(one)\($0)" })
    .union(merged(first, String(second.dropFirst())).map { "\(two)\($0)" })
}

private func orders(_ letters: String) -> Set<String> {
  letters.reduce([""]) { words, letter in Set(words.flatMap { merged($0, String(letter)) }) }
}

private func serial() -> DispatchQueue { DispatchQueue(label: "serial") }
private func concurrent() -> DispatchQueue { DispatchQueue(label: "concurrent", attributes: .concurrent) }

extension LitmusTheme {
  /// Blocks note letters on a board.
  static let queues = LitmusTheme(
    "Queues of Dispatch",
    [
      Litmus(
        "serial-queue-keeps-order", "Three blocks on a serial queue.", outcomes: ["123"],
        why: "A serial queue runs one block after the other, in the order in which they came."
      ) {
        let (queue, board) = (serial(), Board())
        for letter in "123" { queue.async { board.note("\(letter)") } }
        await reached(queue)
        return board.text
      },
      Litmus(
        "global-queue-keeps-none", "Three blocks on a global queue.", outcomes: orders("123"),
        why: "Threads take the blocks in order, and any thread may be held up before it notes."
      ) {
        let (group, board) = (DispatchGroup(), Board())
        for letter in "123" { DispatchQueue.global().async(group: group) { board.note("\(letter)") } }
        await emptied(group)
        return board.text
      },
      Litmus(
        "concurrent-queue-keeps-none", "Three blocks on a concurrent queue.", outcomes: orders("123"),
        why: "As on a global queue."
      ) {
        let (queue, group, board) = (concurrent(), DispatchGroup(), Board())
        for letter in "123" { queue.async(group: group) { board.note("\(letter)") } }
        await emptied(group)
        return board.text
      },
      Litmus(
        "serial-beside-concurrent", "Two blocks on a serial queue, and two on a concurrent one.",
        outcomes: Set(orders("ab").flatMap { merged("12", $0) }),
        why: "Only the serial queue keeps an order, and none with the other."
      ) {
        let (one, other, group, board) = (serial(), concurrent(), DispatchGroup(), Board())
        for letter in "12" { one.async(group: group) { board.note("\(letter)") } }
        for letter in "ab" { other.async(group: group) { board.note("\(letter)") } }
        await emptied(group)
        return board.text
      },
      Litmus(
        "two-serial-queues", "A block on each of two serial queues.", outcomes: orders("12"),
        why: "Each queue has a thread of its own."
      ) {
        let (one, two, group, board) = (serial(), serial(), DispatchGroup(), Board())
        one.async(group: group) { board.note("1") }
        two.async(group: group) { board.note("2") }
        await emptied(group)
        return board.text
      },
      Litmus(
        "two-tasks-one-queue", "Two tasks hand a block each to one serial queue.", outcomes: orders("12"),
        why: "Who comes first is first."
      ) {
        let (queue, board) = (serial(), Board())
        await withTaskGroup(of: Void.self) { group in
          for letter in "12" {
            group.addTask {
              await withCheckedContinuation { waiting in
                queue.async {
                  board.note("\(letter)")
                  waiting.resume()
                }
              }
            }
          }
        }
        return board.text
      },
      Litmus(
        "block-hands-over-to-its-own-queue", "A block on a serial queue hands another one to it and notes.",
        outcomes: ["12"], why: "The queue comes to the second when the first has ended."
      ) {
        let (queue, board) = (serial(), Board())
        await withCheckedContinuation { waiting in
          queue.async {
            queue.async {
              board.note("2")
              waiting.resume()
            }
            board.note("1")
          }
        }
        return board.text
      },
      Litmus(
        "barrier-runs-alone", "Two blocks, a barrier and one more on a concurrent queue.",
        outcomes: ["ab|c", "ba|c"],
        why: "The barrier waits for what came before, and what comes later waits for the barrier."
      ) {
        let (queue, group, board) = (concurrent(), DispatchGroup(), Board())
        for letter in "ab" { queue.async(group: group) { board.note("\(letter)") } }
        queue.async(group: group, flags: .barrier) { board.note("|") }
        queue.async(group: group) { board.note("c") }
        await emptied(group)
        return board.text
      },
      Litmus(
        "barriers-one-after-the-other", "Two barriers on a concurrent queue.", outcomes: ["12"],
        why: "A queue of barriers is a serial queue."
      ) {
        let (queue, group, board) = (concurrent(), DispatchGroup(), Board())
        for letter in "12" { queue.async(group: group, flags: .barrier) { board.note("\(letter)") } }
        await emptied(group)
        return board.text
      },
      Litmus(
        "work-item-with-a-barrier",
        "A block and a work item that was made with a barrier, on a concurrent queue.",
        outcomes: ["a|"], why: "The flag of the item counts as that of `async`."
      ) {
        let (queue, group, board) = (concurrent(), DispatchGroup(), Board())
        queue.async(group: group) { board.note("a") }
        queue.async(group: group, execute: DispatchWorkItem(flags: .barrier) { board.note("|") })
        await emptied(group)
        return board.text
      },
      Litmus(
        "barrier-on-a-global-queue", "A block and a barrier on a global queue.", outcomes: orders("a|"),
        why: "A global queue has no barriers."
      ) {
        let (group, board) = (DispatchGroup(), Board())
        DispatchQueue.global().async(group: group) { board.note("a") }
        DispatchQueue.global().async(group: group, flags: .barrier) { board.note("|") }
        await emptied(group)
        return board.text
      },
      Litmus(
        "group-notifies-when-all-have-left", "A block after two in a group.", outcomes: ["12n", "21n"],
        why: "It is handed over when the group is empty."
      ) {
        let (group, board) = (DispatchGroup(), Board())
        for letter in "12" { DispatchQueue.global().async(group: group) { board.note("\(letter)") } }
        await withCheckedContinuation { waiting in
          group.notify(queue: serial()) {
            board.note("n")
            waiting.resume()
          }
        }
        return board.text
      },
      Litmus(
        "group-that-is-empty-notifies-at-once",
        "A notification of an empty group, and a block, on one queue.",
        outcomes: ["n1"], why: "It is handed over at once."
      ) {
        let (queue, board) = (serial(), Board())
        DispatchGroup().notify(queue: queue) { board.note("n") }
        queue.async { board.note("1") }
        await reached(queue)
        return board.text
      },
      Litmus(
        "group-entered-by-hand", "A group is entered, and left by a block that hands on.", outcomes: ["12n"],
        why: "The group is left in the second block."
      ) {
        let (group, board) = (DispatchGroup(), Board())
        group.enter()
        DispatchQueue.global().async {
          board.note("1")
          DispatchQueue.global().async {
            board.note("2")
            group.leave()
          }
        }
        await withCheckedContinuation { waiting in
          group.notify(queue: .global()) {
            board.note("n")
            waiting.resume()
          }
        }
        return board.text
      },
      Litmus(
        "work-item-tells", "A work item that tells another when it was done.", outcomes: ["1n"],
        why: "The notification comes after the item."
      ) {
        let board = Board()
        let item = DispatchWorkItem { board.note("1") }
        await withCheckedContinuation { waiting in
          item.notify(queue: .global()) {
            board.note("n")
            waiting.resume()
          }
          DispatchQueue.global().async(execute: item)
        }
        return board.text
      },
      Litmus(
        "work-item-cancelled-before", "A work item that was cancelled is handed over.", outcomes: ["n"],
        why: "It does nothing, and tells nevertheless."
      ) {
        let board = Board()
        let item = DispatchWorkItem { board.note("1") }
        item.cancel()
        await withCheckedContinuation { waiting in
          item.notify(queue: .global()) {
            board.note("n")
            waiting.resume()
          }
          DispatchQueue.global().async(execute: item)
        }
        return board.text
      },
      Litmus(
        "work-item-against-a-cancel", "A task cancels a work item that is on its way.",
        outcomes: ["n", "1n"],
        why: "The cancel comes before the item begins, or after."
      ) {
        let board = Board()
        // Safe: a work item may be cancelled on any thread.
        nonisolated(unsafe) let item = DispatchWorkItem { board.note("1") }
        async let cancel: Void = { @Sendable in unsafe item.cancel() }()
        await withCheckedContinuation { waiting in
          unsafe item.notify(queue: .global()) {
            board.note("n")
            waiting.resume()
          }
          unsafe DispatchQueue.global().async(execute: item)
        }
        await cancel
        return board.text
      },
      Litmus(
        "suspended-queue-waits",
        "A queue is suspended, gets a block, and is resumed by a task that notes first.",
        outcomes: ["r1"], why: "A queue that is suspended begins nothing."
      ) {
        let (queue, board) = (serial(), Board())
        queue.suspend()
        queue.async { board.note("1") }
        async let resumed: Void = { @Sendable in
          board.note("r")
          queue.resume()
        }()
        await reached(queue)
        await resumed
        return board.text
      },
      Litmus(
        "target-keeps-queues-apart", "Two queues with one target: each block is two notes.",
        outcomes: ["aabb", "bbaa"],
        why: "The target runs one block at a time. Which queue comes first is open: two tasks hand over."
      ) {
        let (target, board) = (serial(), Board())
        await withTaskGroup(of: Void.self) { group in
          for letter in "ab" {
            let queue = DispatchQueue(label: "\(letter)", target: target)
            group.addTask {
              await withCheckedContinuation { waiting in
                queue.async {
                  board.note("\(letter)")
                  board.note("\(letter)")
                  waiting.resume()
                }
              }
            }
          }
        }
        return board.text
      },
      Litmus(
        "main-queue-and-main-actor", "A block on the main queue, a task of the main actor, and a block.",
        outcomes: ["123"], why: "The main actor's executor is the main queue, and each lands when it is made."
      ) {
        let board = Board()
        DispatchQueue.main.async { board.note("1") }
        Task { @MainActor in board.note("2") }
        DispatchQueue.main.async { board.note("3") }
        await reached(.main)
        return board.text
      },
      Litmus(
        "hop-after-a-block", "A task hands a block to the main queue and hops to the main actor.",
        outcomes: ["12"],
        why: "The hop is behind the block."
      ) {
        let board = Board()
        DispatchQueue.main.async { board.note("1") }
        await MainActor.run { board.note("2") }
        return board.text
      },
      Litmus(
        "continuation-resumed-on-main",
        "A block on the main queue resumes a task of the main actor and notes.",
        outcomes: ["12"], why: "The task goes on on the main actor, when the block has ended."
      ) {
        let board = Board()
        await Task { @MainActor in
          await withCheckedContinuation { waiting in
            DispatchQueue.main.async {
              waiting.resume()
              board.note("1")
            }
          }
          board.note("2")
        }.value
        return board.text
      },
      Litmus(
        "task-made-in-a-block", "A block on a serial queue makes a task and notes.", outcomes: ["12", "21"],
        overlapOnly: ["21"], why: "The task may run before the block's next statement."
      ) {
        let board = Board()
        await withCheckedContinuation { waiting in
          serial().async {
            Task {
              board.note("2")
              waiting.resume()
            }
            board.note("1")
          }
        }
        // The block may note after the task that it has made.
        while board.text.count < 2 { await Task.yield() }
        return board.text
      },
      Litmus(
        "after-in-order", "Two blocks for later on one queue, the later one handed over first.",
        outcomes: ["12"],
        timed: true, why: "Fifty milliseconds lie between them."
      ) {
        let (queue, board) = (serial(), Board())
        queue.asyncAfter(deadline: .now() + 0.06) { board.note("2") }
        queue.asyncAfter(deadline: .now() + 0.01) { board.note("1") }
        await withCheckedContinuation { waiting in
          queue.asyncAfter(deadline: .now() + 0.1) { waiting.resume() }
        }
        return board.text
      },
      Litmus(
        "timer-until-cancelled", "A timer that repeats, until its third event cancels it.",
        outcomes: ["tttc"],
        timed: true, why: "No event is handled after the cancel, which the same queue does."
      ) {
        let (queue, board) = (serial(), Board())
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
        unsafe timer.schedule(deadline: .now() + 0.002, repeating: 0.002)
        await withCheckedContinuation { waiting in
          unsafe timer.setEventHandler {
            board.note("t")
            if board.text == "ttt" { unsafe timer.cancel() }
          }
          unsafe timer.setCancelHandler {
            board.note("c")
            waiting.resume()
          }
          unsafe timer.resume()
        }
        return board.text
      },
      Litmus(
        "operations-in-order", "Two operations where one at a time may run.", outcomes: ["12"],
        why: "Of equal priority, the first that was added runs first."
      ) {
        let (queue, board) = (OperationQueue(), Board())
        queue.maxConcurrentOperationCount = 1
        for letter in "12" { queue.addOperation { board.note("\(letter)") } }
        await withCheckedContinuation { waiting in queue.addBarrierBlock { waiting.resume() } }
        return board.text
      },
    ])

  /// A step of each of these waits in its middle.
  static let waitsForQueues = LitmusTheme(
    "Queues that are waited for", overlaps: true,
    [
      Litmus(
        "sync-behind-async", "A block is handed over, and another one by `sync`.", outcomes: ["12"],
        waits: true,
        why: "The second waits for the first."
      ) {
        let (queue, board) = (serial(), Board())
        queue.async { board.note("1") }
        synchronously(queue) { board.note("2") }
        return board.text
      },
      Litmus(
        "two-syncs-lose-a-change", "Two tasks read a number by `sync`, and write one more by `sync`.",
        outcomes: ["1", "2"], overlapOnly: ["1"], why: "The other task may come between the two."
      ) {
        let (queue, number) = (serial(), Guarded(0))
        let increment = { @Sendable in
          let seen = queue.sync { number.value }
          queue.sync { number.value = seen + 1 }
        }
        await together({ increment() }, { increment() })
        return queue.sync { "\(number.value)" }
      },
      Litmus(
        "sync-within-sync", "Two tasks note twice each, within `sync` of two queues in the same order.",
        outcomes: ["aabb", "bbaa"], why: "Both queues keep the tasks apart."
      ) {
        let (one, two, board) = (serial(), serial(), Board())
        await together(
          {
            one.sync {
              two.sync { board.note("a") }; two.sync { board.note("a") }
            }
          },
          {
            one.sync {
              two.sync { board.note("b") }; two.sync { board.note("b") }
            }
          })
        return board.text
      },
      Litmus(
        "semaphore-of-a-block", "A block signals, and a task waits for it.", outcomes: ["12"], waits: true,
        why: "The wait ends when the block has signaled."
      ) {
        let (done, board) = (DispatchSemaphore(value: 0), Board())
        serial().async {
          board.note("1")
          done.signal()
        }
        waits(for: done)
        board.note("2")
        return board.text
      },
      Litmus(
        "group-that-is-waited-for", "Two blocks in a group, and a task that waits for it.",
        outcomes: ["12n", "21n"], waits: true, why: "The wait ends when both have left."
      ) {
        let (group, board) = (DispatchGroup(), Board())
        for letter in "12" { DispatchQueue.global().async(group: group) { board.note("\(letter)") } }
        waits(for: group)
        board.note("n")
        return board.text
      },
      Litmus(
        "iterations-lose-a-change",
        "Two iterations at once read a number under a lock, and write it under a lock.",
        outcomes: ["1", "2"], overlapOnly: ["1"], why: "The other one may come between the two."
      ) {
        let (lock, number) = (NSLock(), Guarded(0))
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
          let seen = lock.withLock { number.value }
          lock.withLock { number.value = seen + 1 }
        }
        return lock.withLock { "\(number.value)" }
      },
    ])
}

/// Asynchronous code may not wait itself.
private func synchronously(_ queue: DispatchQueue, _ body: () -> Void) { queue.sync(execute: body) }
private func waits(for done: DispatchSemaphore) { done.wait() }
private func waits(for group: DispatchGroup) { group.wait() }
