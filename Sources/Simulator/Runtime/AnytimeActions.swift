/// The actions that may happen at any moment and have not happened yet, in the order written; and those that happen at a
/// moment of a range.
final class AnytimeActions: ExecutionTable {
  private var actions: [(name: String, perform: () -> Void)] = []
  private(set) var count = 0
  /// The actions that happen when a timer fires, by its number.
  private var timed: [UInt32: () -> Void] = [:]

  var isEmpty: Bool { count == 0 }
  var isFresh: Bool { isEmpty && timed.isEmpty }

  func add(_ name: String, _ action: @escaping () -> Void) {
    actions.append((name, action))
    count += 1
  }

  func add(_ action: @escaping () -> Void, at timer: UInt32) { timed[timer] = action }

  func take(at timer: UInt32) -> (() -> Void)? { timed.removeValue(forKey: timer) }

  func take(_ index: Int) -> (name: String, perform: () -> Void) {
    count -= 1
    return actions.remove(at: index)
  }

  func removeAll() {
    if !timed.isEmpty { timed.removeAll() }
    guard count > 0 else { return }
    actions.removeAll()
    count = 0
  }
}
