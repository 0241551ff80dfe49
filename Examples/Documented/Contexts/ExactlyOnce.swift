private protocol Camera: Sendable {
  func focus(_ completion: @escaping @Sendable (Result<Double, any Error>) -> Void) -> Int
}

private actor Autofocus {
  private let camera: any Camera
  private var request: Int?
  init(camera: any Camera) { self.camera = camera }
  private func cancelRequest() { request = nil }

  func focus() async throws -> Double {
    // example
  }
}

private struct Parts {
  var feed: String?
  var isComplete: Bool { feed != nil }
}

private actor Box {
  private(set) var parts = Parts()
  func set(_ parts: Parts) { self.parts = parts }
}

private func received(_ feed: String, _ box: Box, _ completion: (Parts) -> Void) async {
  // example 2
}
