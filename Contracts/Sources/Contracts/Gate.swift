import Foundation
import Synchronization

/// Holds a transaction open: who gets there waits until it is opened.
public final class Gate: Sendable {
  private let hasArrived = Atomic(false)
  private let isOpen = Atomic(false)

  func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

  /// Returns when somebody waits.
  func reached() async throws {
    while !hasArrived.load(ordering: .sequentiallyConsistent) { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Waits on the thread.
  func pass() {
    hasArrived.store(true, ordering: .sequentiallyConsistent)
    while !isOpen.load(ordering: .sequentiallyConsistent) { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// Waits, also in a cancelled task.
  func passSuspended() async {
    hasArrived.store(true, ordering: .sequentiallyConsistent)
    await Task.detached { [self] in
      while !isOpen.load(ordering: .sequentiallyConsistent) { try? await Task.sleep(for: .milliseconds(1)) }
    }.value
  }
}
