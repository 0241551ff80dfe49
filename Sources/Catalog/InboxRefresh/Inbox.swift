import Foundation

/// A letter in the inbox.
struct Letter: Hashable, Sendable {
  let id: String
  let subject: String
}

/// A letter as it comes over the wire: `id: subject`.
struct Envelope: Hashable, Sendable {
  let text: String
}

/// What the inbox screen shows.
struct InboxScreen: Hashable, Sendable {
  enum Phase: String, Hashable, Sendable {
    case idle, loading, loaded, failed
  }

  var phase = Phase.idle
  var letters: [Letter] = []
}

/// What was saved, and when.
struct SavedInbox: Hashable, Sendable {
  let letters: [Letter]
  let savedAt: Date
}

/// The model behind the screen.
@MainActor protocol InboxModel: AnyObject {
  var screen: InboxScreen { get }
  func refresh() async
}

// MARK: - Seams

protocol InboxService: Sendable {
  func envelopes() async throws -> [Envelope]
}

protocol InboxStore: Sendable {
  func saved() async throws -> SavedInbox?
  func save(_ inbox: SavedInbox) async throws
}

protocol WallClock: Sendable {
  var now: Date { get }
}

struct SystemClock: WallClock {
  var now: Date { Date() }
}

// MARK: - Decoding

extension Letter {
  struct Illegible: Error {}

  /// Decodes where it is called.
  init(decoding envelope: Envelope) throws {
    let parts = envelope.text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { throw Illegible() }
    self.init(id: String(parts[0]), subject: String(parts[1].drop { $0 == " " }))
  }

  /// Decodes off the caller's actor.
  @concurrent static func decoded(from envelope: Envelope) async throws -> Letter {
    try Letter(decoding: envelope)
  }
}
