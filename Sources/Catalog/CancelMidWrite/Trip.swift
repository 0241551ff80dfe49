import Observation

/// A stop of a trip.
struct Stop: Hashable, Sendable {
  let id: String
  let day: Int
}

/// Where the editor saves to: what the rest of the app sees of it is the cache.
protocol TripStore: Actor {
  var cache: [Stop] { get }
  /// Saves the stops in place of `old`. When it throws, none has been saved.
  func save(_ stops: [Stop], over old: [Stop]) async throws
}

/// The editor of a trip.
@MainActor @Observable final class TripEditor {
  enum Status: String, Hashable, Sendable {
    case editing, saving, saved, failed
  }

  struct Busy: Error {}

  /// Somebody else has saved meanwhile.
  struct Conflict: Error {}

  private(set) var draft: [Stop]
  private(set) var status = Status.editing
  @ObservationIgnored private let store: any TripStore

  init(_ stops: [Stop], store: any TripStore) {
    draft = stops
    self.store = store
  }

  /// Puts the trip off by so many days and saves it.
  func postpone(by days: Int) async throws {
    guard status != .saving else { throw Busy() }
    status = .saving
    let saved = await store.cache
    draft = saved.map { Stop(id: $0.id, day: $0.day + days) }
    do {
      try await store.save(draft, over: saved)
      status = .saved
    } catch {
      // Whoever tries again begins with what is saved.
      draft = await store.cache
      status = error is CancellationError || error is Conflict ? .editing : .failed
      throw error
    }
  }
}

// MARK: - Seams

protocol TripDisk: Sendable {
  func stops() async throws -> [Stop]
  func write(_ stop: Stop) async throws
  /// Replaces all stops or none.
  func replaceAll(with stops: [Stop]) async throws
}
