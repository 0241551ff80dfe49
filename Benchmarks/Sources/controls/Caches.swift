import Simulator
import Synchronization

extension Control {
  /// An actor that loads each image once, however many ask for it at the same time; a failure is not kept.
  static let imageCache = Control("image cache with loads in flight") { _ in
    let cache = ImageCache()
    let seen = await withTaskGroup(of: String?.self) { group in
      for name in ["cat", "dog", "cat", "broken", "broken"] {
        group.addTask { try? await cache.image(name) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    try check(seen.compactMap(\.self).sorted() == ["cat!", "cat!", "dog!"], "images \(seen)")
    try check(await cache.loads["cat"] == 1, "the cat was loaded more than once")
    try check(await !cache.holds("broken"), "a failure was kept")
  }

  /// A cache behind a lock, of which the oldest entries leave.
  static let lockedCache = Control("cache behind a lock") { simulation in
    let cache = LockedCache(capacity: 2)
    simulation.always("never more than its capacity") { cache.count <= 2 }
    await withDiscardingTaskGroup { group in
      for key in 0..<4 {
        group.addTask {
          cache.set(key, to: key * 10)
          await Task.yield()
          if cache.value(of: key) == nil { cache.set(key, to: key * 10) }
        }
      }
    }
    for key in 0..<4 {
      let value = cache.value(of: key)
      try check(value == nil || value == key * 10, "\(key) became \(value ?? -1)")
    }
  }
}

private actor ImageCache {
  private enum Entry {
    case loading(Task<String, any Error>)
    case ready(String)
  }

  private struct Missing: Error {}

  private var entries: [String: Entry] = [:]
  private(set) var loads: [String: Int] = [:]

  func holds(_ name: String) -> Bool { entries[name] != nil }

  func image(_ name: String) async throws -> String {
    switch entries[name] {
    case .ready(let image): return image
    case .loading(let task): return try await task.value
    case nil: break
    }
    loads[name, default: 0] += 1
    let task = Task { try await Self.load(name) }
    entries[name] = .loading(task)
    do {
      let image = try await task.value
      entries[name] = .ready(image)
      return image
    } catch {
      entries[name] = nil
      throw error
    }
  }

  @concurrent private static func load(_ name: String) async throws -> String {
    try await Task.sleep(for: .milliseconds(name == "cat" ? 3 : 2))
    if name == "broken" { throw Missing() }
    return name + "!"
  }
}

private final class LockedCache: Sendable {
  private struct State {
    var values: [Int: Int] = [:]
    var order: [Int] = []
  }

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { state.withLock { $0.values.count } }

  func value(of key: Int) -> Int? {
    state.withLock { state in
      guard let value = state.values[key] else { return nil }
      state.order.removeAll { $0 == key }
      state.order.append(key)
      return value
    }
  }

  func set(_ key: Int, to value: Int) {
    state.withLock { state in
      state.order.removeAll { $0 == key }
      state.order.append(key)
      state.values[key] = value
      if state.order.count > capacity { state.values[state.order.removeFirst()] = nil }
    }
  }
}
