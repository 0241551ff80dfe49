extension FakeStore {
  /// A database whose transactions are all or nothing: the seam behind which a ``FakeStore`` stands for code
  /// that writes in a closure, as with GRDB, Core Data or SQLite.
  public protocol TransactionalStore: Sendable {
    /// Runs `body` in a transaction: commits what it has changed when it returns, and nothing when it throws.
    ///
    /// - Throws: What `body` throws, why the commit failed, or `CancellationError`.
    func transaction<Answer: Sendable>(
      _ body: @Sendable (FakeStore.Transaction) async throws -> Answer
    ) async throws -> Answer
  }
}

extension FakeStore {
  /// What a transaction sees and changes: the store as it was when it began, and its own changes.
  ///
  /// It is for the time of its transaction only.
  public final class Transaction: Sendable {
    private struct State {
      var contents: [String: any Sendable]
      var changes: [FakeStore.Change] = []
    }

    private let state: Guarded<State>

    /// A transaction on a store that holds `contents`.
    public init(on contents: [String: any Sendable]) {
      state = Guarded(State(contents: contents))
    }

    /// What is kept under `key`; nil when that is nothing.
    ///
    /// - Throws: ``FakeStore/Mismatch`` when the value is of another type.
    public func read<Content: Sendable>(_ key: String, as type: Content.Type) throws -> Content? {
      guard let found = state.withLock({ $0.contents[key] }) else { return nil }
      guard let content = found as? Content else {
        throw FakeStore.Mismatch(description: "\(key) is a \(Swift.type(of: found)), not a \(Content.self)")
      }
      return content
    }

    /// Keeps `content` under `key`.
    public func write(_ content: some Sendable, for key: String) {
      state.withLock { state in
        state.contents[key] = content
        state.changes.append(.set(key, content))
      }
    }

    /// Forgets `key`.
    public func remove(_ key: String) {
      state.withLock { state in
        state.contents[key] = nil
        state.changes.append(.remove(key))
      }
    }

    /// What has been changed, in order.
    public var changes: [FakeStore.Change] { state.withLock(\.changes) }
  }
}
