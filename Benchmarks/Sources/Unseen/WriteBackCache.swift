import Simulator
import TwinPrograms

extension TwinProgram {
  /// Three clients count visits through a cache that holds two counters, and writes those that it evicts to a disk.
  static let writeBackCache = TwinProgram(
    "write-back cache", "two actors, unstructured tasks, a group",
    bug: "A counter that was evicted is read again before it has been written: what was counted is lost.",
    deviations: 2
  ) { simulation, twin in
    let disk = Disk()
    let cache = WriteBackCache(capacity: 2, disk, twin)
    let visits = [["home", "about", "jobs"], ["about", "home"], ["jobs", "press", "home"]]
    await withDiscardingTaskGroup { group in
      for pages in visits {
        group.addTask {
          for page in pages { await cache.count(page) }
        }
      }
    }
    await cache.flush()
    let total = await disk.total
    if total != 8 { simulation.fail("every visit is counted", "\(total) of 8 visits were counted") }
  }
}

private actor Disk {
  private var counts: [String: Int] = [:]

  var total: Int { counts.values.reduce(0, +) }

  func read(_ key: String) async -> Int {
    await Task.yield()
    return counts[key] ?? 0
  }

  func write(_ count: Int, for key: String) async {
    await Task.yield()
    counts[key] = count
  }
}

private actor WriteBackCache {
  private let capacity: Int
  private let disk: Disk
  private let twin: TwinProgram.Twin
  /// Those used last come last.
  private var order: [String] = []
  private var counts: [String: Int] = [:]
  private var loading: [String: Task<Void, Never>] = [:]
  private var writing: [String: Task<Void, Never>] = [:]

  init(capacity: Int, _ disk: Disk, _ twin: TwinProgram.Twin) {
    self.capacity = capacity
    self.disk = disk
    self.twin = twin
  }

  func count(_ key: String) async {
    // An entry may be evicted again while its loading is awaited.
    while counts[key] == nil { await load(key) }
    counts[key, default: 0] += 1
    order.removeAll { $0 == key }
    order.append(key)
    evict(downTo: capacity)
  }

  func flush() async {
    evict(downTo: 0)
    for task in writing.values { await task.value }
  }

  private func load(_ key: String) async {
    let task =
      loading[key]
      ?? Task {
        if twin == .mended { await writing[key]?.value }
        let count = await disk.read(key)
        counts[key] = count
        order.append(key)
        loading[key] = nil
      }
    loading[key] = task
    await task.value
  }

  private func evict(downTo limit: Int) {
    while order.count > limit {
      let key = order.removeFirst()
      guard let count = counts.removeValue(forKey: key) else { continue }
      writing[key] = Task { await disk.write(count, for: key) }
    }
  }
}
