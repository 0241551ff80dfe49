import GRDB
import Simulator

/// The fake in its place.
struct SimulatedStore: StoreSubject {
  private let store: FakeStore

  init(_ condition: StoreCondition) {
    let replies: [FakeReply] =
      switch condition {
      case .usual: [.ok()]
      case .locked: [.failure(DatabaseError(resultCode: .SQLITE_BUSY), named: "busy")]
      case .full: [.failure(DatabaseError(resultCode: .SQLITE_FULL), named: "full")]
      }
    store = FakeStore(["transaction": [FakeBehavior(replies: replies)]])
  }

  func write<Answer: Sendable>(
    until gate: Gate?, _ body: @escaping @Sendable (any Rows) throws -> Answer
  ) async throws -> Answer {
    try await store.transaction { transaction in
      let answer = try body(TransactionRows(transaction: transaction))
      await gate?.passSuspended()
      return answer
    }
  }

  func put(_ key: String, _ value: Int) async throws { try await store.write(value, for: key) }

  func value(of key: String) async throws -> Int? { try await store.read(key, as: Int.self) }

  private struct TransactionRows: Rows {
    let transaction: FakeStore.Transaction

    func value(of key: String) throws -> Int? { try transaction.read(key, as: Int.self) }
    func set(_ key: String, _ value: Int) throws { transaction.write(value, for: key) }
  }
}
