import Mailing
import Simulator

/// A mail service that is slow and fails as it is told, and keeps what was sent.
///
/// Its one operation is called `send`.
public actor FakeMailer: CallRecording {
  public nonisolated let name: String
  private let recorder: CallRecorder
  public private(set) var outbox: [String] = []

  public init(_ operations: [String: [FakeBehavior]] = [:], named name: String = "mailer") {
    self.name = name
    recorder = CallRecorder(name, operations)
  }

  public nonisolated var calls: [CallRecord] { recorder.calls }
}

extension FakeMailer: Mailer {
  public nonisolated(nonsending) func send(_ letter: String) async throws {
    try await recorder.call("send", .text(letter)) { call in try await deliver(letter, call) }
  }

  private func deliver(_ letter: String, _ call: PendingCall) async throws {
    try await call.end {
      try await call.arrive()
      outbox.append(letter)
      call.tookEffect("sent")
      try call.failAfterEffect()
    }
  }
}
