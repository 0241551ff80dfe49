import Simulator
import Synchronization

extension Control {
  /// A search field on the main actor: each key cancels the search before, and the last one wins.
  static let debouncedSearch = Control("debounced search") { _ in
    let model = SearchModel()
    for (query, pause) in [("s", 1), ("sw", 6), ("swift", 1)] {
      await model.type(query)
      try await Task.sleep(for: .milliseconds(pause))
    }
    await model.settle()
    let shown = await model.shown
    try check(shown.last == "swift!", "shown: \(shown)")
    try check(!shown.contains("s!"), "a search that was typed over is shown")
  }

  /// Three attempts with growing pauses; a cancel ends them at once.
  static let retry = Control("retry with backoff") { _ in
    let attempts = Counter()
    let patient = Task { try await retrying(3) { try await flaky(attempts, failures: 2) } }
    try check(await patient.value == 3, "not the third attempt")
    let more = Counter()
    let cancelled = Task { try await retrying(3) { try await flaky(more, failures: 9) } }
    try await Task.sleep(for: .milliseconds(2))
    cancelled.cancel()
    guard case .failure = await cancelled.result else { throw Wrong(description: "it came through") }
    try check(more.value <= 2, "it went on after its cancel")
  }

  /// A group that indexes documents, at most two at a time, and joins what the children return.
  static let indexer = Control("indexer with bounded width") { simulation in
    let documents = ["a b", "b c", "c", "a c"]
    let active = Counter()
    simulation.always("at most two at a time") { active.value <= 2 }
    let index = await withTaskGroup(of: (Int, [String]).self) { group in
      var rest = documents.indices.makeIterator()
      func addNext() {
        guard let number = rest.next() else { return }
        group.addTask {
          active.add(1)
          await Task.yield()
          active.add(-1)
          return (number, documents[number].split(separator: " ").map(String.init))
        }
      }
      for _ in 0..<2 { addNext() }
      var index: [String: Set<Int>] = [:]
      while let (number, words) = await group.next() {
        for word in words { index[word, default: []].insert(number) }
        addNext()
      }
      return index
    }
    try check(index == ["a": [0, 3], "b": [0, 1], "c": [1, 2, 3]], "the index is \(index)")
  }

  /// Transfers read, think, and commit only if nothing has changed meanwhile.
  static let accounts = Control("store with optimistic transactions") { simulation in
    let store = Store(["a": 10, "b": 10])
    simulation.always("no money is lost") { store.assumeIsolated { $0.total } == 20 }
    await withDiscardingTaskGroup { group in
      for (from, to, amount) in [("a", "b", 3), ("b", "a", 5), ("a", "b", 4)] {
        group.addTask { await transfer(amount, from: from, to: to, in: store) }
      }
    }
    let end = await store.snapshot
    try check(end.values == ["a": 8, "b": 12], "the end is \(end.values)")
  }
}

@MainActor private final class SearchModel {
  nonisolated init() {}

  private(set) var shown: [String] = []
  private var search: Task<Void, Never>?

  func type(_ query: String) {
    search?.cancel()
    search = Task {
      do {
        try await Task.sleep(for: .milliseconds(3))
        let results = try await find(query)
        try Task.checkCancellation()
        shown.append(results)
      } catch {}
    }
  }

  func settle() async { await search?.value }
}

@concurrent private func find(_ query: String) async throws -> String {
  try await Task.sleep(for: .milliseconds(2))
  return query + "!"
}

private struct Unreachable: Error {}

private func flaky(_ attempts: Counter, failures: Int) async throws -> Int {
  attempts.add(1)
  await Task.yield()
  if attempts.value <= failures { throw Unreachable() }
  return attempts.value
}

@concurrent private func retrying<Value: Sendable>(
  _ attempts: Int, _ body: @Sendable () async throws -> Value
) async throws -> Value {
  var pause = Duration.milliseconds(1)
  for _ in 1..<attempts {
    do { return try await body() } catch is Unreachable {
      try await Task.sleep(for: pause)
      pause *= 2
    }
  }
  return try await body()
}

private actor Store {
  private var values: [String: Int]
  private var version = 0

  init(_ values: [String: Int]) { self.values = values }

  var total: Int { values.values.reduce(0, +) }
  var snapshot: (version: Int, values: [String: Int]) { (version, values) }

  /// Whether nothing has changed since `version`.
  func commit(_ changes: [String: Int], since version: Int) -> Bool {
    guard version == self.version else { return false }
    self.version += 1
    values.merge(changes) { $1 }
    return true
  }
}

@concurrent private func transfer(_ amount: Int, from: String, to: String, in store: Store) async {
  while true {
    let (version, values) = await store.snapshot
    await Task.yield()
    let changes = [from: (values[from] ?? 0) - amount, to: (values[to] ?? 0) + amount]
    if await store.commit(changes, since: version) { return }
  }
}
