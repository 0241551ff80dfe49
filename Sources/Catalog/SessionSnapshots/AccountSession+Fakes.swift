import Simulator

extension FakeNetwork: PortraitService {
  nonisolated func portrait(of name: String) async throws -> Portrait {
    try await exchange("GET /portrait", .text(name), showing: { .text("portrait of \($0.name)") }) { _ in
      Portrait(name: name)
    }
  }
}

extension AccountSnapshot {
  var shown: Trace.Value { AccountScreen(self, nil).shown }
}

extension AccountScreen {
  /// Without the portrait, which is no part of the session.
  var shown: Trace.Value {
    .record([
      .init("version", .int(version)), .init("signed in", .bool(isSignedIn)),
      .init("name", name.map { .text($0) } ?? .none), .init("unread", .int(unread)),
    ])
  }
}
