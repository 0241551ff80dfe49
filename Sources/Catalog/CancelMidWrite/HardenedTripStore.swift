/// Saves in a row, each all stops or none, and lets the cache follow the disk. When the write has failed, only the disk
/// knows whether it was committed: so the disk is asked, in a task that nobody cancels, and the requester is
/// told.
actor HardenedTripStore: TripStore {
  private(set) var cache: [Stop]
  /// While a save is under way, who waits to save; nil while none is.
  private var queue: [CheckedContinuation<Void, Never>]?
  private let disk: any TripDisk

  init(_ stops: [Stop], disk: any TripDisk) {
    cache = stops
    self.disk = disk
  }

  func save(_ stops: [Stop], over old: [Stop]) async throws {
    await begin()  // guard: one-save-at-a-time
    defer { end() }  // guard: one-save-at-a-time
    try Task.checkCancellation()  // guard: no-write-when-cancelled
    guard cache == old else { throw TripEditor.Conflict() }  // guard: no-lost-edit
    do {
      try await disk.replaceAll(with: stops)  // guard: one-transaction
      cache = stops  // guard: cache-follows-disk
    } catch {
      cache = try await Task { try await disk.stops() }.value  // guard: ask-the-disk
      if cache != stops { throw error }
    }
  }

  private func begin() async {
    guard queue != nil else { return queue = [] }
    await withCheckedContinuation { queue?.append($0) }
  }

  private func end() {
    guard queue?.isEmpty == false else { return queue = nil }
    queue?.removeFirst().resume()
  }
}

// Not guards: the clause that catches the failed write, which the guards fill, passing its error on, and the queue that the
// guarded begin and end stand for.
