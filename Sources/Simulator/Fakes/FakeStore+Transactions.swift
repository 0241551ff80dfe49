extension FakeStore: FakeStore.TransactionalStore {
  /// Runs `body` in a transaction, one after the other in the order of the calls; its changes are committed
  /// at once when it has returned and the delay of the `transaction` is over.
  ///
  /// A transaction inside another one waits for itself: a deadlock, as with most databases.
  ///
  /// - Throws: What `body` throws, or `InjectedFault` or `CancellationError`, and then nothing has been
  ///   committed, except after a fault that strikes after the commit.
  public nonisolated func transaction<Answer: Sendable>(
    _ body: @Sendable (FakeStore.Transaction) async throws -> Answer
  ) async throws -> Answer {
    try await recorder.call("transaction") { call in
      try await call.end {
        let transaction = FakeStore.Transaction(on: await open())
        do {
          if !call.ignoresCancellation { try Task.checkCancellation() }
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

  /// Waits until no other transaction is open; answers with what the store then holds.
  private func open() async -> [String: any Sendable] {
    await waitForTurn()
    recorder.accessed(.read)
    return contents
  }

  /// Waits until no transaction is open, for a change that comes whole in one step.
  ///
  /// Its turn is handed on at once, and who is next takes it in a step of its own.
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

  /// The process has died that waits for this turn, or has it.
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

  /// Which transactions are under way.
  struct Transactions {
    /// How many have asked for their turn: each has its number.
    var asked = 0
    /// Whose turn it is.
    var open: Int?
    /// First come first served.
    var waiting: [(number: Int, turn: CheckedContinuation<Void, Never>)] = []

    var isOpen: Bool { open != nil }
  }
}
