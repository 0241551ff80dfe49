/// The actions that may happen at any moment and have not happened yet, in the order written.
final class AnytimeActions: ExecutionTable {
  private var actions: [(name: String, perform: () -> Void)] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var isFresh: Bool { isEmpty }

  func add(_ name: String, _ action: @escaping () -> Void) {
    actions.append((name, action))
    count += 1
  }

  func take(_ index: Int) -> (name: String, perform: () -> Void) {
    count -= 1
    return actions.remove(at: index)
  }

  func removeAll() {
    guard count > 0 else { return }
    actions.removeAll()
    count = 0
  }
}
