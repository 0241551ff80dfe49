import Simulator

private struct Feed {}

@MainActor private func example() async throws {
  // example
  _ = feed
}
