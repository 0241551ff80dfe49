internal import SimulatorKernel

extension FakeStore: FakeStore.TransactionalStore {
  /// Runs `body` in a transaction. Transactions run one after the other, in the order of the calls. The changes are
  /// committed all at once when `body` has returned and the delay of the `transaction` is over.
  ///
  /// A transaction inside another one waits for itself: a deadlock, as with most databases.
  ///
  /// - Throws: The error that `body` throws, `InjectedFault` or `CancellationError`. Nothing has been committed then,
  ///   except after a fault that strikes after the commit.
  public nonisolated func transaction<Answer: Sendable>(
    _ body: @Sendable (FakeStore.Transaction) async throws -> Answer
  ) async throws -> Answer {
    try await recorder.call("transaction") { call in
      try await call.end {
        let transaction = FakeStore.Transaction(on: await open())
        do {
          if !call.ignoresCancellation { try Questions.checkCancellation() }
          let answer = try await body(transaction)
          try await call.wait()
          try await commit(transaction.changes, call)
          await close()
          return answer
        } catch {
          await close()
          throw error
        }
      }
    }
  }

  /// Waits until no other transaction is open, and returns the contents of the store at that time.
  private func open() async -> [String: any Sendable] {
    await waitForTurn()
    recorder.accessed(.read)
    return contents
  }

  /// Waits until no transaction is open, for a change that is made as a whole in one step.
  ///
  /// It hands on its turn at once, and the next transaction takes the turn in a separate step.
  func waitForOpenTransactions() async {
    guard transactions.isOpen else { return }
    await waitForTurn()
    close()
  }

  private func waitForTurn() async {
    transactions.asked += 1
    let number = transactions.asked
    Simulation.current?.whenProcessDies { self.assumeIsolated { $0.died(number) } }
    if transactions.isOpen {
      await withCheckedContinuation { transactions.waiting.append((number, $0)) }
    } else {
      transactions.open = number
    }
  }

  /// Releases the turn, or the wait for it, of a process that has died.
  private func died(_ number: Int) {
    if transactions.open == number { return close() }
    guard let index = transactions.waiting.firstIndex(where: { $0.number == number }) else { return }
    transactions.waiting.remove(at: index).turn.resume()
  }

  private func close() {
    if transactions.waiting.isEmpty {
      transactions.open = nil
    } else {
      let next = transactions.waiting.removeFirst()
      transactions.open = next.number
      next.turn.resume()
    }
  }

  private func commit(_ changes: [FakeStore.Change], _ call: PendingCall) throws {
    try refuse(call)
    for change in changes { make(change) }
    call.tookEffect("committed " + changes.map(\.key).joined(separator: ", "))
    try call.failAfterEffect()
  }

  /// The transactions in progress.
  struct Transactions {
    /// The number of transactions that have asked for a turn. Each has its number.
    var asked = 0
    /// The number of the transaction that has the turn.
    var open: Int?
    /// The waiting transactions, first come first served.
    var waiting: [(number: Int, turn: CheckedContinuation<Void, Never>)] = []

    var isOpen: Bool { open != nil }
  }
}
