import Simulator

extension FakeNetwork: InboxService {
  /// The n-th request gets the n-th edition of the inbox.
  nonisolated func envelopes() async throws -> [Envelope] {
    try await exchange("GET /inbox", showing: { .list($0.map { .text($0.text) }) }) { request in
      ["a", "b"].map { Envelope(text: "\($0): edition \(request.number)") }
    }
  }
}

extension FakeStore: InboxStore {
  nonisolated func saved() async throws -> SavedInbox? {
    try await read("inbox", as: SavedInbox.self, showing: { $0.letters.shown })
  }

  nonisolated func save(_ inbox: SavedInbox) async throws {
    try await write(inbox, for: "inbox")
  }
}

extension [Letter] {
  var shown: Trace.Value { .list(map { .text("\($0.id): \($0.subject)") }) }
}

extension InboxScreen {
  var shown: Trace.Value {
    .record([.init("phase", .text(phase.rawValue)), .init("letters", letters.shown)])
  }
}
