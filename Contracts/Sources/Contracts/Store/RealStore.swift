import Foundation
import GRDB

/// SQLite, through a pool of GRDB's: one writer, and readers beside it.
final class RealStore: StoreSubject {
  private let folder: URL
  private let pool: DatabasePool
  private let other: DatabaseQueue

  init(_ condition: StoreCondition) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "contract-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "store.sqlite").path
    pool = try DatabasePool(path: path)
    var unsafe = Configuration()
    unsafe.allowsUnsafeTransactions = true
    try pool.write { try $0.execute(sql: "CREATE TABLE row (key TEXT PRIMARY KEY, value INTEGER)") }
    other = try DatabaseQueue(path: path, configuration: unsafe)
    switch condition {
    case .usual: break
    case .locked: try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    case .full:
      try pool.writeWithoutTransaction { database in
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        try database.execute(sql: "PRAGMA max_page_count = \(pages)")
      }
    }
  }

  func close() throws {
    try other.writeWithoutTransaction { if $0.isInsideTransaction { try $0.execute(sql: "ROLLBACK") } }
    try other.close()
    try pool.close()
    try FileManager.default.removeItem(at: folder)
  }

  func write<Answer: Sendable>(
    until gate: Gate?, _ body: @escaping @Sendable (any Rows) throws -> Answer
  ) async throws -> Answer {
    try await pool.write { database in
      let answer = try body(DatabaseRows(database: database))
      gate?.pass()
      return answer
    }
  }

  func put(_ key: String, _ value: Int) async throws {
    try await pool.writeWithoutTransaction { try DatabaseRows(database: $0).set(key, value) }
  }

  func value(of key: String) async throws -> Int? {
    try await pool.read { try DatabaseRows(database: $0).value(of: key) }
  }

  private struct DatabaseRows: Rows {
    let database: Database

    func value(of key: String) throws -> Int? {
      try Int.fetchOne(database, sql: "SELECT value FROM row WHERE key = ?", arguments: [key])
    }

    func set(_ key: String, _ value: Int) throws {
      try database.execute(
        sql: "INSERT INTO row VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        arguments: [key, value])
    }
  }
}
