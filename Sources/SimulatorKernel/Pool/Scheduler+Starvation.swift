internal import SimulatorCore

/// Blocked steps that keep all threads of a priority, while others wait for one.
struct Starvation {
  /// The number of blocked steps.
  let blocked: Int
  /// The lines at which they block, with the number of steps at each; empty if events are not kept.
  let places: [(place: String, count: Int)]
  /// The number of steps that are kept out.
  let keptOut: Int
  /// True if Dispatch has made as many threads as it makes.
  let hasGrown: Bool
}

extension Scheduler {
  /// The starvation at this moment; nil if there is none.
  var starvation: Starvation? {
    guard let pool = tables.threadPool.pools.first(where: { !$0.keptOut.isEmpty }) else { return nil }
    let blocked = tables.parked.steps.filter { isStuck($0) && priority(keptBy: $0.frame) == pool.priority }
    var places: [(place: String, count: Int)] = []
    for step in blocked {
      guard let place = Symbols.innermostPlace(of: step.stack)?.description else { continue }
      if let index = places.firstIndex(where: { $0.place == place }) {
        places[index].count += 1
      } else {
        places.append((place, 1))
      }
    }
    return Starvation(
      blocked: blocked.count, places: places, keptOut: pool.keptOut.count,
      hasGrown: pool.threads >= PoolThreads.mostThreads)
  }

  /// The means by which steps share state of which the reduced search does not know enough; nil if there is none. It does
  /// not learn that a step that never began could have begun earlier.
  var unseenSharing: String? {
    state.unseen ?? (tables.threadPool.pools.allSatisfy(\.keptOut.isEmpty) ? nil : Self.threadsOfPool)
  }

  static let threadsOfPool = "threads of the global executor"

  /// Returns true if a task waits for nothing but a thread.
  func waitsForThread(_ task: Int32) -> Bool {
    !queue.slots { $0.task == task && tables.threadPool.isKeptOut($0.id) }.isEmpty
  }
}
