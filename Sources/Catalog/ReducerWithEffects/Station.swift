/// What the station finder shows.
struct StationScreen: Hashable, Sendable {
  var query = ""
  var stations: [String] = []
  var hasFailed = false
}

/// Everything that can happen to it.
enum StationAction: Hashable, Sendable {
  case typed(String)
  case found([String])
  case failed
}

/// Something asynchronous, whose outcome is an action.
typealias StationEffect = @Sendable () async -> StationAction

/// The rules: what an action makes of the screen, and which effect it asks for.
struct StationReducer: Sendable {
  let service: any StationService

  func reduce(_ screen: inout StationScreen, _ action: StationAction) -> StationEffect? {
    switch action {
    case .typed(let query):
      screen.query = query
      screen.hasFailed = false
      return search(query)
    case .found(let stations):
      screen.stations = stations
      screen.hasFailed = false
    case .failed: screen.hasFailed = true
    }
    return nil
  }

  private func search(_ query: String) -> StationEffect {
    { [service] in
      do { return .found(try await service.stations(startingWith: query)) } catch { return .failed }
    }
  }
}

/// The store behind the screen: puts actions through the reducer and runs the effects it asks for.
@MainActor protocol StationStore: AnyObject {
  var screen: StationScreen { get }
  func send(_ action: StationAction)
  /// The screen goes away.
  func close()
}

// MARK: - Seams

protocol StationService: Sendable {
  func stations(startingWith query: String) async throws -> [String]
}
