import Scenarios

private final class Inbox: System {
  nonisolated static let checks: [SystemCheck] = []
  nonisolated static let descriptor = SystemDescriptor("inbox", "Letters.", variants: [], actions: [])
  let observed: [Observed] = []

  init(_ variant: String, in world: World) throws {}
  func perform(_ action: UserAction) async throws {}
}

private typealias Profile = Inbox

private func example() {
  // example
}
