import Observation

/// Asks for both at once and waits for the slower one. When one fails or the load is cancelled, the other is
/// given up.
@MainActor @Observable final class HardenedToday: TodayModel {
  private(set) var screen = TodayScreen.empty
  /// What the last load has brought that was not cancelled.
  @ObservationIgnored private var settled = TodayScreen.empty
  @ObservationIgnored private let service: any TodayService

  init(service: any TodayService) {
    self.service = service
  }

  func load() async {
    screen = .loading
    do {
      async let weather = service.weather()  // guard: parallel => let weather = try await service.weather()
      async let appointments = service.appointments()
      settled = .loaded(Today(weather: try await weather, appointments: try await appointments))
    } catch {
      if !error.isCancellation { settled = .failed }
    }
    screen = settled
  }
}

// Not guards: asking for both at once, of which the marked line is the other half.
