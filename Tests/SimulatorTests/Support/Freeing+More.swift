import Foundation
import Observation
import Synchronization

extension Freeing {
  static let others = [
    Freeing(blocking: "DispatchQueue.async, of a group") { notes in
      let (queue, group) = (DispatchQueue(label: "q"), DispatchGroup())
      queue.async(group: group) { notes.note("0") }
      notes.note("m")
      group.wait()
    },
    Freeing(blocking: "the end of DispatchQueue.sync") { notes in
      let queue = DispatchQueue(label: "q")
      queue.sync { queue.async { notes.note("0") } }
      notes.note("m")
      queue.drain()
    },
    Freeing(blocking: "DispatchWorkItem.notify, after its end") { notes in
      let (queue, item) = (DispatchQueue(label: "q"), DispatchWorkItem {})
      queue.async(execute: item)
      item.wait()
      item.notify(queue: queue) { notes.note("0") }
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "DispatchQueue.setSpecific, in place of a value") { notes in
      let (queue, key) = (DispatchQueue(label: "q"), DispatchSpecificKey<NotesItsEnd>())
      queue.setSpecific(key: key, value: NotesItsEnd(notes))
      queue.setSpecific(key: key, value: nil)
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "Operation.cancel, while it waits for another") { notes in
      let queue = OperationQueue()
      let (first, second) = (BlockOperation {}, BlockOperation {})
      second.addDependency(first)
      second.completionBlock = { notes.note("0") }
      queue.addOperation(second)
      second.cancel()
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "OperationQueue.cancelAllOperations") { notes in
      let queue = OperationQueue()
      let (first, second) = (BlockOperation {}, BlockOperation {})
      second.addDependency(first)
      second.completionBlock = { notes.note("0") }
      queue.addOperation(second)
      queue.cancelAllOperations()
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "Progress.cancel") { notes in
      let progress = Progress(totalUnitCount: 1)
      progress.cancellationHandler = { notes.note("0") }
      progress.cancel()
      notes.note("m")
      notes.wait()
    },
    Freeing(blocking: "RunLoop.perform, of the main run loop") { notes in
      RunLoop.main.perform { notes.note("0") }
      notes.note("m")
      notes.wait()
    },
    Freeing("UnsafeContinuation.resume") { notes in
      let kept = unsafe Mutex<UnsafeContinuation<Void, Never>?>(nil)
      let task = Task {
        unsafe await withUnsafeContinuation { continuation in
          unsafe kept.withLock { unsafe $0 = continuation }
        }
        notes.note("0")
      }
      try? await Task.sleep(for: .milliseconds(1))
      unsafe kept.withLock { unsafe $0.take() }?.resume()
      notes.note("m")
      await task.value
    },
    Freeing("Task.immediate, after its first suspension") { notes in
      let task = Task.immediate {
        await Task.yield()
        notes.note("0")
      }
      notes.note("m")
      await task.value
    },
    Freeing("DiscardingTaskGroup.addTask") { notes in
      await withDiscardingTaskGroup { group in
        group.addTask { notes.note("0") }
        notes.note("m")
      }
    },
    Freeing("DiscardingTaskGroup.cancelAll") { notes in
      await withDiscardingTaskGroup { group in
        group.addTask {
          try? await Task.sleep(for: .seconds(1))
          notes.note("0")
        }
        try? await Task.sleep(for: .milliseconds(1))
        group.cancelAll()
        notes.note("m")
      }
    },
    Freeing("TaskGroup.addTaskUnlessCancelled") { notes in
      await withTaskGroup(of: Void.self) { group in
        _ = group.addTaskUnlessCancelled { notes.note("0") }
        notes.note("m")
      }
    },
    Freeing("a change of an observed value") { notes in
      let model = ObservedModel()
      let task = Task {
        for await value in Observations({ model.number }) where value > 0 {
          notes.note("0")
          break
        }
      }
      try? await Task.sleep(for: .milliseconds(1))
      model.number += 1
      notes.note("m")
      // A change between two looks of the sequence is lost.
      while notes.all.count < 2 {
        model.number += 1
        try? await Task.sleep(for: .milliseconds(1))
      }
      await task.value
    },
  ]
}

private final class NotesItsEnd: Sendable {
  private let notes: Notes
  init(_ notes: Notes) { self.notes = notes }
  deinit { notes.note("0") }
}

@Observable private final class ObservedModel: @unchecked Sendable {
  // @unchecked Sendable because a simulation runs one thing at a time.
  var number = 0
}
