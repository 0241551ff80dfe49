/// Writes stop by stop, the cache first.
actor NaiveTripStore: TripStore {
  private(set) var cache: [Stop]
  private let disk: any TripDisk

  init(_ stops: [Stop], disk: any TripDisk) {
    cache = stops
    self.disk = disk
  }

  func save(_ stops: [Stop], over old: [Stop]) async throws {
    for (index, stop) in stops.enumerated() {
      cache[index] = stop
      try await disk.write(stop)
    }
  }
}
