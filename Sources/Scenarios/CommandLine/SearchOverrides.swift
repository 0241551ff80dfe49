/// What the command line says about the search, in place of the file.
struct SearchOverrides: Equatable, Sendable {
  var schedules: Int?
  var seed: UInt64?
  var strategy: String?
}

extension Search {
  /// The same search with what the command line says.
  func overridden(by overrides: SearchOverrides) -> Search {
    var search = self
    search.schedules = overrides.schedules ?? schedules
    search.seed = overrides.seed ?? seed
    search.strategy = overrides.strategy ?? strategy
    return search
  }
}
