import Simulator
import TwinPrograms

extension TwinProgram {
  /// Three workers take jobs from a queue, and one of them is shut down while it waits.
  static let jobQueue = TwinProgram(
    "job queue", "an actor, continuations, cancellation",
    bug: "A worker that is cancelled after it was woken leaves, and wakes nobody in its place.",
    deviations: 2
  ) { _, twin in
    let queue = JobQueue(twin)
    let workers = (0..<3).map { _ in
      Task {
        while let job = try await queue.next() { await queue.finish(job) }
      }
    }
    for job in 0..<2 {
      await queue.add(job)
      await Task.yield()
    }
    let scalingDown = Task {
      // There is little left to do.
      if await queue.length < 2 { workers[1].cancel() }
    }
    for job in 2..<4 {
      await Task.yield()
      await queue.add(job)
    }
    await queue.allFinished(4)
    await queue.close()
    await scalingDown.value
    for worker in workers { _ = await worker.result }
  }
}

private actor JobQueue {
  private struct Waiter {
    let id: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private var jobs: [Int] = []
  private var waiters: [Waiter] = []
  private var nextID = 0
  private var isClosed = false
  private var finished = 0
  private var completion: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  private let twin: TwinProgram.Twin

  init(_ twin: TwinProgram.Twin) { self.twin = twin }

  var length: Int { jobs.count }

  func add(_ job: Int) {
    jobs.append(job)
    wakeOne()
  }

  /// The next job; nil once the queue is closed.
  func next() async throws -> Int? {
    while jobs.isEmpty {
      if isClosed { return nil }
      try Task.checkCancellation()
      await wait()
      if Task.isCancelled {
        // A job may have been meant for this worker.
        if twin == .mended, !jobs.isEmpty { wakeOne() }
        throw CancellationError()
      }
    }
    return jobs.removeFirst()
  }

  func finish(_ job: Int) {
    finished += 1
    if let completion, finished >= completion.count {
      self.completion = nil
      completion.continuation.resume()
    }
  }

  func allFinished(_ count: Int) async {
    if finished >= count { return }
    await withCheckedContinuation { completion = (count, $0) }
  }

  func close() {
    isClosed = true
    for waiter in waiters { waiter.continuation.resume() }
    waiters = []
  }

  private func wait() async {
    let id = nextID
    nextID += 1
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume()
        } else {
          waiters.append(Waiter(id: id, continuation: continuation))
        }
      }
    } onCancel: {
      Task { await self.abandon(id) }
    }
  }

  private func abandon(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume()
  }

  private func wakeOne() {
    if !waiters.isEmpty { waiters.removeFirst().continuation.resume() }
  }
}
