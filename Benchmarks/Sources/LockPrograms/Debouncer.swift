import Foundation
import Simulator

extension LockProgram {
  /// A file is closed once its debounced saving has been stopped.
  static let debouncer = LockProgram(
    "debouncer", .nsLock,
    "The generation is checked under the lock and the action runs after it: it runs although `stop` has returned."
  ) { simulation, twin in
    let debouncer = Debouncer(interval: .milliseconds(10), twin)
    let file = File()
    debouncer.submit {
      if !file.write() { simulation.fail("no action after the stop", "a closed file is written to") }
    }
    let closing = Task {
      try? await Task.sleep(for: .milliseconds(10))
      debouncer.stop()
      file.close()
    }
    await closing.value
  }
}

private final class File: @unchecked Sendable {
  // @unchecked Sendable because `isClosed` is reached under the lock only.
  private let lock = NSLock()
  private var isClosed = false

  func write() -> Bool { lock.withLock { !isClosed } }
  func close() { lock.withLock { isClosed = true } }
}

private final class Debouncer: @unchecked Sendable {
  // @unchecked Sendable because `generation` is reached under the lock only.
  private let lock = NSLock()
  private var generation = 0
  private let interval: Duration
  private let twin: LockProgram.Twin

  init(interval: Duration, _ twin: LockProgram.Twin) {
    self.interval = interval
    self.twin = twin
  }

  /// `action` runs after the interval, unless another has been submitted, or ``stop()`` has been called.
  func submit(_ action: @escaping @Sendable () -> Void) {
    let submitted = lock.withLock {
      generation += 1
      return generation
    }
    Task {
      try? await Task.sleep(for: interval)
      fire(submitted, action)
    }
  }

  /// No action runs from then on.
  func stop() { lock.withLock { generation += 1 } }

  private func fire(_ submitted: Int, _ action: () -> Void) {
    switch twin {
    case .seeded:
      let isCurrent = lock.withLock { generation == submitted }
      if isCurrent { action() }
    case .mended:
      lock.withLock {
        if generation == submitted { action() }
      }
    }
  }
}
