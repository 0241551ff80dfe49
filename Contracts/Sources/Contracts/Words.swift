import Foundation
import GRDB
import Simulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Refused: Error {}

/// An error, in the words of a table.
func words(_ error: any Error) -> String {
  switch error {
  case is CancellationError: "CancellationError"
  case is Refused: "Refused"
  case let error as DatabaseError where error.resultCode == .SQLITE_BUSY: "SQLITE_BUSY"
  case let error as DatabaseError where error.resultCode == .SQLITE_FULL: "SQLITE_FULL"
  case let error as URLError: "URLError.\(name(of: error.code))"
  default: "\(type(of: error))"
  }
}

private func name(of code: URLError.Code) -> String {
  switch code {
  case .cancelled: "cancelled"
  case .timedOut: "timedOut"
  case .networkConnectionLost: "networkConnectionLost"
  case .cannotConnectToHost: "cannotConnectToHost"
  case .notConnectedToInternet: "notConnectedToInternet"
  case .httpTooManyRedirects: "httpTooManyRedirects"
  case .unknown: "unknown"
  default: "\(code.rawValue)"
  }
}

/// What `work` came to, and what it threw.
func outcome<Answer>(of work: () async throws -> Answer) async -> String {
  do { return "returned \(try await work())" } catch { return "threw \(words(error))" }
}

func outcome(of task: Task<some Sendable, any Error>) async -> String {
  await outcome { try await task.value }
}
