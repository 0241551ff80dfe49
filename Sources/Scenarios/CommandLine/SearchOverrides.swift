/// What the command line says about the search, in place of the file.
struct SearchOverrides: Equatable, Sendable {
  var schedules: Int?
  var seed: UInt64?
  var strategy: String?
}

extension Search {
  /// The same search with what the command line says. What is to be covered completely is part of the file's own
  /// budget and strategy: under others it is not asked for.
  func overridden(by overrides: SearchOverrides) -> Search {
    var search = self
    search.schedules = overrides.schedules ?? schedules
    search.seed = overrides.seed ?? seed
    search.strategy = overrides.strategy ?? strategy
    if overrides.schedules != nil || overrides.strategy != nil { search.exhaustDeviations = nil }
    return search
  }
}
