import Foundation
import Simulator
import SimulatorHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// As apps wrote it before 2021: nothing in it knows of a simulator.
final class ProfileModel: @unchecked Sendable {
  private(set) var name = "…"
  private(set) var isVisible = true

  func load() -> URLSessionDataTask {
    let request = URLRequest(url: URL(string: "https://example.org/profile")!)
    let loading = URLSession.shared.dataTask(with: request) { data, _, _ in
      guard let data else { return }
      DispatchQueue.main.async { self.name = String(decoding: data, as: UTF8.self) }
    }
    loading.resume()
    return loading
  }

  func disappear() { isVisible = false }
}

let report = explore("a profile that was left") { simulation in
  FakeHTTP([
    "GET /profile": [FakeBehavior(delay: .between(.zero, and: .seconds(5)), replies: [.ok("Ada")])]
  ]).interceptURLSession(in: simulation)
  let model = ProfileModel()
  simulation.always("nothing is shown to nobody") { model.isVisible || model.name == "…" }

  let loading = model.load()
  let user = Task { @MainActor in
    try? await Task.sleep(for: .seconds(1))
    if model.name == "…" {
      loading.cancel()
      model.disappear()
    }
  }
  await user.value
}

print(report)
