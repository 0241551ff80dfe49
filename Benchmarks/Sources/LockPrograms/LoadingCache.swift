import Simulator
import Synchronization

extension LockProgram {
  /// A value is loaded, changes at its source, is removed and loaded again.
  static let loadingCache = LockProgram(
    "LRU cache with loads in flight", .mutex,
    "A load is registered after its task is made: a load that has ended by then stays registered and becomes stale."
  ) { simulation, twin in
    let source = Source()
    let cache = LoadingCache(capacity: 1, twin) { _ in source.version }
    _ = await cache.value(for: 7)
    source.change()
    cache.remove(7)
    let value = await cache.value(for: 7)
    if value != 2 { simulation.fail("no stale value", "version \(value) came after version 2 was there") }
  }
}

private final class Source: Sendable {
  private let number = Atomic(1)
  var version: Int { number.load(ordering: .relaxed) }
  func change() { number.wrappingAdd(1, ordering: .relaxed) }
}

private final class LoadingCache: Sendable {
  private struct State {
    /// The one used last comes last.
    var values: [(key: Int, value: Int)] = []
    var loads: [Int: Task<Int, Never>] = [:]

    mutating func use(_ key: Int) -> Int? {
      guard let index = values.firstIndex(where: { $0.key == key }) else { return nil }
      let used = values.remove(at: index)
      values.append(used)
      return used.value
    }

    mutating func loaded(_ key: Int, _ value: Int, capacity: Int) {
      loads[key] = nil
      values.append((key, value))
      if values.count > capacity { values.removeFirst() }
    }
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let load: @Sendable (Int) async -> Int
  private let twin: LockProgram.Twin

  init(capacity: Int, _ twin: LockProgram.Twin, load: @escaping @Sendable (Int) async -> Int) {
    self.capacity = capacity
    self.load = load
    self.twin = twin
  }

  func remove(_ key: Int) { state.withLock { $0.values.removeAll { $0.key == key } } }

  func value(for key: Int) async -> Int {
    let task: Task<Int, Never>
    switch twin {
    case .seeded:
      if let value = state.withLock({ $0.use(key) }) { return value }
      if let running = state.withLock({ $0.loads[key] }) { return await running.value }
      task = startLoad(of: key)
      state.withLock { $0.loads[key] = task }
    case .mended:
      let found: Result<Int, Loading> = state.withLock { state in
        if let value = state.use(key) { return .success(value) }
        let task = state.loads[key] ?? startLoad(of: key)
        state.loads[key] = task
        return .failure(Loading(task: task))
      }
      switch found {
      case .success(let value): return value
      case .failure(let loading): task = loading.task
      }
    }
    return await task.value
  }

  private struct Loading: Error { let task: Task<Int, Never> }

  private func startLoad(of key: Int) -> Task<Int, Never> {
    Task {
      let value = await load(key)
      state.withLock { $0.loaded(key, value, capacity: capacity) }
      return value
    }
  }
}
