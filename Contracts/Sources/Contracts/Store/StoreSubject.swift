/// What the facts ask of a database: a table of numbers.
public protocol StoreSubject: Sendable {
  /// Runs `body` in a transaction, which then waits at `gate` before it is committed.
  func write<Answer: Sendable>(
    until gate: Gate?, _ body: @escaping @Sendable (any Rows) throws -> Answer
  ) async throws -> Answer

  /// Writes one value, with no transaction that anybody sees.
  func put(_ key: String, _ value: Int) async throws

  /// What is committed.
  func value(of key: String) async throws -> Int?
}

extension StoreSubject {
  func write<Answer: Sendable>(_ body: @escaping @Sendable (any Rows) throws -> Answer) async throws -> Answer
  {
    try await write(until: nil, body)
  }

  func set(_ key: String, _ value: Int, until gate: Gate? = nil) async throws {
    try await write(until: gate) { try $0.set(key, value) }
  }

  /// What is committed under `key`, in words.
  func held(_ key: String = "a") async throws -> String {
    try await value(of: key).map(String.init) ?? "nothing"
  }
}

/// What a transaction sees and changes.
public protocol Rows {
  func value(of key: String) throws -> Int?
  func set(_ key: String, _ value: Int) throws
}

/// What a database is up against.
public enum StoreCondition: Sendable {
  case usual
  /// Another connection has the write lock.
  case locked
  /// No page may be added.
  case full
}
