import Simulator
import Testing

private struct Search {
  let debounce: Duration
  let clock: any Clock<Duration>

  func type(_ text: String) async -> [String] {
    try? await clock.sleep(for: debounce)
    return [text]
  }
}

private func example() async {
  // example
}
