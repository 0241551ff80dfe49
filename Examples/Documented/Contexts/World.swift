import Scenarios
import Simulator

private struct FakeMailer: CallRecording {
  let name: String
  let calls: [CallRecord] = []

  init(_ operations: [String: [FakeBehavior]], named name: String) { self.name = name }
}

@MainActor private func example(_ world: World) {
  // example
  _ = mailer
}
