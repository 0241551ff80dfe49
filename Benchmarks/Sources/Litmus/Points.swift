import Dispatch
import Foundation

extension LitmusTheme {
  /// A statement makes something runnable, and notes follow it. What has become runnable notes digits, and may run before the
  /// next statement.
  static let points = LitmusTheme(
    "What makes something runnable", overlaps: true,
    [
      Litmus(
        "operations-beside-their-adder",
        "An operation is added, then a note, another operation, and a note. One operation runs at a time.",
        outcomes: ["1m2n", "1mn2", "m12n", "m1n2", "mn12"],
        overlapOnly: ["1m2n", "1mn2", "m12n", "m1n2"],
        why: "Each operation may run as soon as it is added, the second one after the first."
      ) {
        let (queue, notes) = (OperationQueue(), AwaitedNotes(4))
        queue.maxConcurrentOperationCount = 1
        queue.addOperation { notes.note("1") }
        notes.note("m")
        queue.addOperation { notes.note("2") }
        notes.note("n")
        return await notes.text
      },
      Litmus(
        "barrier-block-beside-its-adder",
        "An operation and a barrier block are added, then a note.",
        outcomes: ["12m", "1m2", "m12"],
        overlapOnly: ["12m", "1m2"],
        why: "The barrier waits for the operation. Both may run before the note."
      ) {
        let (queue, notes) = (OperationQueue(), AwaitedNotes(3))
        queue.addOperation { notes.note("1") }
        queue.addBarrierBlock { notes.note("2") }
        notes.note("m")
        return await notes.text
      },
      Litmus(
        "operation-queue-that-is-resumed",
        "A suspended operation queue with two operations, one at a time, is resumed; then a note.",
        outcomes: ["12m", "1m2", "m12"],
        overlapOnly: ["12m", "1m2"],
        why: "The operations begin as soon as the queue is no longer suspended."
      ) {
        let (queue, notes) = (OperationQueue(), AwaitedNotes(3))
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        queue.addOperation { notes.note("1") }
        queue.addOperation { notes.note("2") }
        queue.isSuspended = false
        notes.note("m")
        return await notes.text
      },
      Litmus(
        "operation-that-waits-for-another",
        "An operation depends on another one, which is started in place; then a note.",
        outcomes: ["12m", "1m2"],
        overlapOnly: ["12m"],
        why: "The second one begins when the first has ended, on a thread of its queue."
      ) {
        let (queue, notes) = (OperationQueue(), AwaitedNotes(3))
        let (first, second) = (
          BlockOperation { notes.note("1") }, BlockOperation { notes.note("2") }
        )
        second.addDependency(first)
        queue.addOperation(second)
        first.start()
        notes.note("m")
        return await notes.text
      },
      Litmus(
        "operation-cancelled-beside-its-start",
        "An operation is added and canceled by the next statement.",
        outcomes: ["", "1"],
        overlapOnly: ["1"],
        why: "A canceled operation does nothing if it has not begun."
      ) {
        let (queue, board) = (OperationQueue(), Board())
        let operation = BlockOperation { board.note("1") }
        queue.addOperation(operation)
        operation.cancel()
        await withCheckedContinuation { waiting in queue.addBarrierBlock { waiting.resume() } }
        return board.text
      },
      Litmus(
        "completion-block-beside-its-operation",
        "An operation with a completion block is started in place; then a note.",
        outcomes: ["12m", "1m2"],
        overlapOnly: ["12m"],
        why: "The completion block runs on a queue of its own once the operation has ended."
      ) {
        let notes = AwaitedNotes(3)
        let operation = BlockOperation { notes.note("1") }
        operation.completionBlock = { notes.note("2") }
        operation.start()
        notes.note("m")
        return await notes.text
      },
      Litmus(
        "queue-that-is-resumed",
        "A suspended serial queue with two blocks is resumed; then a note.",
        outcomes: ["12m", "1m2", "m12"],
        overlapOnly: ["12m", "1m2"],
        why: "The blocks begin as soon as the queue is no longer suspended."
      ) {
        let (queue, notes) = (DispatchQueue(label: "serial"), AwaitedNotes(3))
        queue.suspend()
        for letter in "12" { queue.async { notes.note("\(letter)") } }
        queue.resume()
        notes.note("m")
        return await notes.text
      },
      Litmus(
        "queue-that-is-activated",
        "A serial queue that was made inactive gets a block and is activated, with a note after each.",
        outcomes: ["m1n", "mn1"],
        overlapOnly: ["m1n"],
        why: "An inactive queue begins nothing."
      ) {
        let (queue, notes) = (DispatchQueue(label: "serial", attributes: .initiallyInactive), AwaitedNotes(3))
        queue.async { notes.note("1") }
        notes.note("m")
        queue.activate()
        notes.note("n")
        return await notes.text
      },
      Litmus(
        "group-that-is-left",
        "A group with two notifications on a serial queue is left; then a note.",
        outcomes: ["12m", "1m2", "m12"],
        overlapOnly: ["12m", "1m2"],
        why: "The notifications come to the queue in their order, as soon as the group is empty."
      ) {
        let (queue, group, notes) = (DispatchQueue(label: "serial"), DispatchGroup(), AwaitedNotes(3))
        group.enter()
        for letter in "12" { group.notify(queue: queue) { notes.note("\(letter)") } }
        group.leave()
        notes.note("m")
        return await notes.text
      },
      Litmus(
        "timer-source-beside-its-resumer",
        "A timer source that is due is resumed; then a note.",
        outcomes: ["1m", "m1"],
        overlapOnly: ["1m"],
        why: "The handler may run as soon as the source is resumed."
      ) {
        let notes = AwaitedNotes(2)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "serial"))
        timer.schedule(deadline: .now())
        timer.setEventHandler { notes.note("1") }
        timer.resume()
        notes.note("m")
        let text = await notes.text
        timer.cancel()
        return text
      },
      Litmus(
        "timer-source-beside-its-canceller",
        "A timer source that never fires is canceled; then a note.",
        outcomes: ["1m", "m1"],
        overlapOnly: ["1m"],
        why: "The handler for a cancel may run as soon as the source is canceled."
      ) {
        let notes = AwaitedNotes(2)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "serial"))
        timer.schedule(deadline: .distantFuture)
        timer.setCancelHandler { notes.note("1") }
        timer.resume()
        timer.cancel()
        notes.note("m")
        return await notes.text
      },
    ])
}
