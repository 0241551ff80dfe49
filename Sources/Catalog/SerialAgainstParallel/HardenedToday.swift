import Observation

/// Asks for both at once and waits for the slower one. When one fails or the load is cancelled, the other is
/// given up.
@MainActor @Observable final class HardenedToday: TodayModel {
  private(set) var screen = TodayScreen.empty
  @ObservationIgnored private var loads = Loads(TodayScreen.empty)
  @ObservationIgnored private let service: any TodayService

  init(service: any TodayService) {
    self.service = service
  }

  func load() async {
    let load = loads.begin()
    screen = .loading
    do {
      // undone: let (weather, appointments) = (try await service.weather(), try await service.appointments())
      let (weather, appointments) = try await both(service.weather, service.appointments)  // guard: parallel
      loads.end(load, with: .loaded(Today(weather: weather, appointments: appointments)))
    } catch {
      loads.end(load, with: error.isCancellation ? nil : .failed)
    }
    screen = loads.isLoading ? .loading : loads.settled
  }
}

// Not guards: what the screen says when two loads overlap, or one was cancelled.
