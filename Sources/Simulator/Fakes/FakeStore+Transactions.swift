extension FakeStore: TransactionalStore {
  /// Runs `body` in a transaction, one after the other in the order of the calls; its changes are committed at once when
  /// it has returned and the delay of the `transaction` is over.
  ///
  /// A transaction inside another one waits for itself: a deadlock, as with most databases.
  ///
  /// - Throws: What `body` throws, or `InjectedFault` or `CancellationError`, and then nothing has been committed, except
  ///   after a fault that strikes after the commit.
  public nonisolated func transaction<Answer: Sendable>(
    _ body: @Sendable (StoreTransaction) async throws -> Answer
  ) async throws -> Answer {
    let (answer, spent) = try await desk.call("transaction", .none) { visit in
      try await desk.end(visit, showing: { (_: (Answer, Duration)) in .none }) {
        let transaction = StoreTransaction(on: await open())
        do {
          try Task.checkCancellation()
          let answer = try await body(transaction)
          try await visit.wait(visit.delay)
          try await commit(transaction.changes, visit)
          await close()
          return (answer, visit.spend)
        } catch {
          await close()
          throw error
        }
      }
    }
    await Simulation.spend(spent)
    return answer
  }

  /// Waits until no other transaction is open; answers with what the store then holds.
  private func open() async -> [String: any Sendable] {
    if transactions.isOpen {
      await withCheckedContinuation { transactions.waiting.append($0) }
    } else {
      transactions.isOpen = true
    }
    desk.touch(.read)
    return contents
  }

  private func close() {
    if transactions.waiting.isEmpty {
      transactions.isOpen = false
    } else {
      transactions.waiting.removeFirst().resume()
    }
  }

  private func commit(_ changes: [StoreChange], _ visit: Visit) throws {
    if visit.fault == .beforeCommit || visit.fault == .torn { throw visit.injectedFault }
    for change in changes { make(change) }
    desk.took(effect: "committed " + changes.map(\.key).joined(separator: ", "), visit)
    if visit.fault == .afterCommit { throw visit.injectedFault }
  }

  /// Which transactions are under way.
  struct Transactions {
    var isOpen = false
    /// First come first served.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
}
