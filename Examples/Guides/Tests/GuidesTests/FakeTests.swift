import Foundation
import SimulatorHTTP
import SimulatorTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// page: seam
protocol Loader: Sendable { func data(for request: URLRequest) async throws -> (Data, URLResponse) }
extension URLSession: Loader {}
extension FakeHTTP: Loader {}
// page: end

@Suite("Fakes") struct FakeTests {
  // page: received
  @Test(.simulated) func savesOnce() async throws {
    let http = FakeHTTP([
      "PUT /profile": [
        FakeBehavior(delay: .between(.zero, and: .seconds(5)), replies: [.ok("saved"), .offline])
      ]
    ])
    let loader: any Loader = http
    var request = URLRequest(url: URL(string: "https://example.org/profile")!)
    request.httpMethod = "PUT"
    _ = try? await loader.data(for: request)
    #expect(http.received("PUT /profile").once)
  }
  // page: end
}
