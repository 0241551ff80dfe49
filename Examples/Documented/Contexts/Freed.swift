import Simulator

private typealias Command = String

@MainActor private final class Executor {
  private var loop: Task<Void, Never>?
  private func handle(_ command: Command) {}

  // example
}

private func example(_ simulation: Simulation, _ executor: Executor) {
  // example 2
}
