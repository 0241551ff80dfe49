/// Writes all stops or none, and lets the cache follow the disk. When the write has failed, only the disk
/// knows whether it was committed: so the disk is asked, in a task that nobody cancels, and the requester is
/// told.
actor HardenedTripStore: TripStore {
  private(set) var cache: [Stop]
  private let disk: any TripDisk

  init(_ stops: [Stop], disk: any TripDisk) {
    cache = stops
    self.disk = disk
  }

  func save(_ stops: [Stop]) async throws {
    try Task.checkCancellation()  // guard: no-write-when-cancelled
    do {
      try await disk.replaceAll(with: stops)  // guard: one-transaction
      cache = stops  // guard: cache-follows-disk
    } catch {
      cache = try await Task { try await disk.stops() }.value  // guard: ask-the-disk
      if cache != stops { throw error }
    }
  }
}

// Not guards: the clause that catches the failed write, which the guards fill, and passing its error on.
