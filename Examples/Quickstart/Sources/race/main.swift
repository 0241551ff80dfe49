import Simulator

final class ImageCache: @unchecked Sendable {
  private var sizes: [String: Int] = [:]

  func store(_ size: Int, of name: String) async { sizes[name] = size }
  func size(of name: String) async -> Int? { sizes[name] }
}

let report = explore("a cache without a lock") { _ in
  let cache = ImageCache()
  async let stored: Void = cache.store(3, of: "cat")
  async let size = cache.size(of: "cat")
  _ = await (stored, size)
}

print(report)
