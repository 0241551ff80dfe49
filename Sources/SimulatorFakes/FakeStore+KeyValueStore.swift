extension FakeStore {
  /// Keeps values under keys. A ``FakeStore`` can take the place of a real store behind this protocol.
  public protocol KeyValueStore: Sendable {
    /// Returns the value under `key`; nil if there is none.
    func read<Content: Sendable>(_ key: String, as type: Content.Type) async throws -> Content?

    /// Returns every value of that type, by its key.
    func readAll<Content: Sendable>(as type: Content.Type) async throws -> [String: Content]

    /// Makes one change after the other. If it throws, some may have been made.
    func write(_ changes: [FakeStore.Change]) async throws

    /// Makes all changes or, if it throws before the commit, none.
    func transaction(_ changes: [FakeStore.Change]) async throws
  }
}

extension FakeStore.KeyValueStore {
  /// Keeps `content` under `key`.
  public func write(_ content: some Sendable, for key: String) async throws {
    try await write([.set(key, content)])
  }
}

extension FakeStore {
  /// A change of a store's contents.
  public enum Change: Sendable {
    /// Keeps a value under a key.
    case set(String, any Sendable)
    /// Removes the key.
    case remove(String)

    /// The key that is changed.
    public var key: String {
      switch self {
      case .set(let key, _), .remove(let key): key
      }
    }

    /// The text of the change in a trace, once it is made.
    var past: String {
      switch self {
      case .set(let key, _): "wrote \(key)"
      case .remove(let key): "removed \(key)"
      }
    }
  }
}
