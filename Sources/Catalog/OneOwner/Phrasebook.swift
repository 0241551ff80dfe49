import Observation

/// A phrase that a traveller looks up.
struct Phrase: Hashable, Sendable {
  let id: String
  let text: String
}

/// What the page of a phrase shows.
enum PhraseScreen: Hashable, Sendable {
  case empty, loading, shown(Phrase), failed
}

/// What keeps the phrases, and brings them up to date.
protocol Phrasebook: Sendable {
  /// Fetches all phrases and saves them.
  func update() async throws
  /// The phrase as it is on the device; nil when it is not there.
  func phrase(_ id: String) async throws -> Phrase?
}

/// The model behind the page.
@MainActor @Observable final class PhraseModel {
  private(set) var screen = PhraseScreen.empty
  @ObservationIgnored private var lookups = Loads(PhraseScreen.empty)
  @ObservationIgnored private let phrasebook: any Phrasebook

  init(phrasebook: any Phrasebook) {
    self.phrasebook = phrasebook
  }

  func update() async throws {
    try await phrasebook.update()
  }

  func look(up id: String) async throws {
    let lookup = lookups.begin()
    screen = .loading
    defer { screen = lookups.isLoading ? .loading : lookups.settled }
    do {
      lookups.end(lookup, with: try await phrasebook.phrase(id).map { .shown($0) } ?? .empty)
    } catch {
      lookups.end(lookup, with: Task.isCancelled ? nil : .failed)
      throw error
    }
  }
}

// MARK: - Seams

protocol PhraseService: Sendable {
  func phrases() async throws -> [Phrase]
}

protocol PhraseStore: Sendable {
  func save(_ phrases: [Phrase]) async throws
  func phrase(_ id: String) async throws -> Phrase?
}
