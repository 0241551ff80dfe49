import AsyncAlgorithms
import Simulator

let report = explore("leaving a search") { simulation in
  let (keys, typing) = AsyncStream.makeStream(of: String.self)
  let searching = Task {
    for await query in keys.debounce(for: .milliseconds(300)) { _ = "results for \(query)" }
  }
  simulation.cancelAnywhere(searching, "searching")
  typing.yield("swift")
  try await Task.sleep(for: .seconds(1))
  typing.finish()
  await searching.value
}

print(report)
