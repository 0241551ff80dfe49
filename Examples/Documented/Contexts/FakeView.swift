import Simulator

@MainActor private final class Model {
  func search(_ query: String) async {}
}

@MainActor private func example(_ model: Model) {
  // example
}
