public import SimulatorCore

extension Invariant {
  /// When all is at rest, every entry that the cache holds equals that on the disk. The cache need not hold every
  /// entry.
  ///
  /// The race: two saves are committed in one order and reach the cache in the other; or a read that missed fills the
  /// cache with the value from before a newer save. The cache is wrong from then on.
  ///
  /// ```swift
  /// if let cached = cache[id] { return cached }
  /// let note = try await disk.note(id)       // a save is committed here
  /// cache[id] = note
  /// ```
  ///
  /// - Parameters:
  ///   - cache: The observed value that holds some entries: a record with a part for each.
  ///   - disk: The observed value that holds all entries.
  public static func cacheMatchesDisk(_ cache: String = "cache", _ disk: String = "disk") -> Invariant {
    Invariant("cache-matches-disk", "At rest what the cache holds is what the disk holds.") {
      CacheMatchesDisk(cache: cache, disk: disk)
    }
  }
}

private struct CacheMatchesDisk: Invariant.Monitor {
  let cache: String
  let disk: String
  /// The values that each has held so far, oldest first.
  private var cached: [Trace.Value] = []
  private var saved: [Trace.Value] = []
  private var hasCached = false
  private var activity = Activity()
  private(set) var diagnosis: Invariant.Diagnosis?

  init(cache: String, disk: String) {
    self.cache = cache
    self.disk = disk
  }

  var judged: Bool { hasCached && saved.count > 1 }

  mutating func saw(_ event: Trace.Event) -> String? {
    activity.saw(event)
    switch event.kind {
    case .changed(cache, _, let to):
      cached.append(to)
      if !to.fields.isEmpty { hasCached = true }
    case .changed(disk, _, let to): saved.append(to)
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    guard activity.isQuiet, let cachedNow = cached.last, let savedNow = saved.last else { return nil }
    guard let wrong = cachedNow.fields.first(where: { savedNow[$0.name] != $0.value }) else { return nil }
    diagnosis = whatHappened(to: wrong)
    let held = savedNow[wrong.name] ?? .none
    return "at rest \(cache) has \(wrong.value) for \(wrong.name), and \(disk) has \(held)"
  }

  /// Distinguishes three cases: the cached value was never on the disk; the cache once held the present value and went
  /// back; or the cache never got it. A value that the disk has held twice proves nothing.
  private func whatHappened(to wrong: Trace.Value.Field) -> Invariant.Diagnosis? {
    guard saved.contains(where: { $0[wrong.name] == wrong.value }) else { return .shownNotSaved }
    let held = saved.last?[wrong.name]
    guard let since = saved.firstIndex(where: { $0[wrong.name] == held }),
      saved[since...].allSatisfy({ $0[wrong.name] == held })
    else { return nil }
    return cached.contains { $0[wrong.name] == held } ? .staleOverNewer : .savedNotShown
  }
}

extension Trace.Value {
  fileprivate var fields: [Field] {
    guard case .record(let fields) = self else { return [] }
    return fields
  }
}
