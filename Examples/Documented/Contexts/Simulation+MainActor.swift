import Simulator

@MainActor private final class Model {
  private(set) var isLoading = false
  private(set) var profile: String?
  func disappear() {}
}

private func conditions(_ simulation: Simulation, _ model: Model) {
  // example
}

private func actions(_ simulation: Simulation, _ model: Model) {
  // example 2
}
