import Simulator

extension Invariant {
  /// What `screen` shows as found is what was found for the query that it shows.
  static func listFitsQuery(on screen: String) -> Invariant {
    Invariant(
      "list-fits-query", "The list is for what stands in the search field.", diagnosis: .staleOverNewer
    ) { ListFitsQuery(screen: screen) }
  }
}

private struct ListFitsQuery: Invariant.Monitor {
  let screen: String
  private(set) var judged = false

  init(screen: String) {
    self.screen = screen
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(screen, _, let to) = event.kind, to["phase"] == "found",
      case .text(let query)? = to["query"], case .list(let results)? = to["results"]
    else { return nil }
    judged = true
    guard let first = results.first, first != .text("\(query)…") else { return nil }
    return "at \(event.time) \(screen) shows \(first) as found for \(query)"
  }
}
