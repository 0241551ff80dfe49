import ScenarioFiles

/// The settings of the search that the command line overrides.
struct SearchOverrides: Equatable, Sendable {
  var schedules: Int?
  var seed: UInt64?
  var strategy: String?
  var isFresh = false
}

extension Search {
  /// The same search with the settings of the command line. The coverage that a file demands belongs to its
  /// own budget and strategy; with others it is not demanded.
  func overridden(by overrides: SearchOverrides) -> Search {
    var search = self
    search.schedules = overrides.schedules ?? schedules
    search.seed = overrides.seed ?? seed
    search.strategy = overrides.strategy ?? strategy
    search.isFresh = overrides.isFresh || isFresh
    if overrides.schedules != nil || overrides.strategy != nil {
      search.exhaustDeviations = nil
      search.bound = nil
    }
    return search
  }
}
