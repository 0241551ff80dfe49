import Foundation
import Simulator
import SimulatorHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private func example(_ ada: [String: String], _ request: URLRequest) async throws {
  // example
  _ = (data, response)
}
