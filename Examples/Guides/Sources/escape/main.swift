import Foundation
import Simulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

actor Profile {
  private(set) var name = ""

  func load() async throws {
    let request = URLRequest(url: URL(string: "https://example.org/profile")!)
    let (data, _) = try await URLSession.shared.data(for: request)
    name = String(decoding: data, as: UTF8.self)
  }
}

let report = explore("a profile from the network") { _ in
  try? await Profile().load()
}

print(report)
