/// To whom the first jobs belong that came back from foreign threads, and where these tasks go on.
final class Escapes: ExecutionTable {
  private(set) var descriptions: [String] = []
  private(set) var isFresh = true

  func add(_ description: String) {
    descriptions.append(description)
    isFresh = false
  }

  func removeAll() {
    guard !isFresh else { return }
    descriptions.removeAll()
    isFresh = true
  }
}
