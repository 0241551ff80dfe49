import PosixLock
import Simulator

extension LockProgram {
  /// A second reader comes while the first one leaves and a writer waits.
  static let readerWriterGate = LockProgram(
    "reader-writer gate", .pthread,
    "The last reader leaves in one critical section and admits the writer in the next: a reader comes between them."
  ) { simulation, twin in
    let gate = ReaderWriterGate(twin)
    await gate.enter()
    let writer = Task {
      await gate.enterToWrite()
      if gate.hasReaders { simulation.fail("writers are alone", "a writer is inside with a reader") }
      gate.leaveWritten()
    }
    await Task.yield()
    let reader = Task {
      await gate.enter()
      await Task.yield()
      gate.leave()
    }
    gate.leave()
    await writer.value
    await reader.value
  }
}

/// Many readers, or one writer. Readers do not wait for a writer that waits.
private final class ReaderWriterGate: @unchecked Sendable {
  // @unchecked Sendable because what varies is reached under the lock only.
  private let lock = PosixLock()
  private var readers = 0
  private var isWriting = false
  private var waitingReaders: [CheckedContinuation<Void, Never>] = []
  private var waitingWriters: [CheckedContinuation<Void, Never>] = []
  private let twin: LockProgram.Twin

  init(_ twin: LockProgram.Twin) { self.twin = twin }

  var hasReaders: Bool { lock.withLock { readers > 0 } }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isOpen = lock.withLock {
        if isWriting { waitingReaders.append(continuation) } else { readers += 1 }
        return !isWriting
      }
      if isOpen { continuation.resume() }
    }
  }

  func leave() {
    let writer: CheckedContinuation<Void, Never>?
    switch twin {
    case .seeded:
      let isLast = lock.withLock { leavesAsLast() }
      writer = isLast ? lock.withLock { admitWriter() } : nil
    case .mended:
      writer = lock.withLock { leavesAsLast() ? admitWriter() : nil }
    }
    writer?.resume()
  }

  func enterToWrite() async {
    await withCheckedContinuation { continuation in
      let writer = lock.withLock {
        waitingWriters.append(continuation)
        return readers == 0 && !isWriting ? admitWriter() : nil
      }
      writer?.resume()
    }
  }

  func leaveWritten() {
    let admitted = lock.withLock {
      isWriting = false
      let waiting = waitingReaders
      waitingReaders = []
      readers = waiting.count
      return waiting.isEmpty ? admitWriter().map { [$0] } ?? [] : waiting
    }
    for continuation in admitted { continuation.resume() }
  }

  private func leavesAsLast() -> Bool {
    readers -= 1
    return readers == 0
  }

  private func admitWriter() -> CheckedContinuation<Void, Never>? {
    guard !isWriting, !waitingWriters.isEmpty else { return nil }
    isWriting = true
    return waitingWriters.removeFirst()
  }
}
