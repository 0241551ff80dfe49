import Foundation
import Testing

@testable import Catalog

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a variant of the catalog refuses by ending the process, which no scenario of the repository expects.
@Suite struct `Refusals in the catalog` {
  @Test func `two optionals need a session that calls back one at a time`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HardenedQueueLoader(
        session: URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: OperationQueue()))
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("callbacks would run side by side"))
    _ = HardenedQueueLoader(session: URLSession(configuration: .ephemeral))
    _ = HardenedQueueLoader()
  }
}
