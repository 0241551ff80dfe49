internal import SimulatorCore

extension FakeStore {
  /// A database whose transactions are all or nothing. A ``FakeStore`` can take the place of a real database behind
  /// this protocol, for code that writes in a closure, as with GRDB, Core Data or SQLite.
  public protocol TransactionalStore: Sendable {
    /// Runs `body` in a transaction. Commits its changes if it returns, and nothing if it throws.
    ///
    /// - Throws: The error that `body` throws, the reason that the commit failed, or `CancellationError`.
    func transaction<Answer: Sendable>(
      _ body: @Sendable (FakeStore.Transaction) async throws -> Answer
    ) async throws -> Answer
  }
}

extension FakeStore {
  /// The view that a transaction has of the store: the contents when it began, and its own changes.
  ///
  /// It is valid only during its transaction.
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

    /// Returns the value under `key`; nil if there is none.
    ///
    /// - Throws: ``FakeStore/Mismatch`` if the value is of another type.
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

    /// Removes `key`.
    public func remove(_ key: String) {
      state.withLock { state in
        state.contents[key] = nil
        state.changes.append(.remove(key))
      }
    }

    /// The changes so far, in order.
    public var changes: [FakeStore.Change] { state.withLock(\.changes) }
  }
}
