import Observation

/// Asks for the one, and when that has come for the other.
@MainActor @Observable final class NaiveToday: TodayModel {
  private(set) var screen = TodayScreen.empty
  @ObservationIgnored private let service: any TodayService

  init(service: any TodayService) {
    self.service = service
  }

  func load() async {
    let before = screen
    screen = .loading
    do {
      let weather = try await service.weather()
      let appointments = try await service.appointments()
      screen = .loaded(Today(weather: weather, appointments: appointments))
    } catch {
      screen = error.isCancellation ? before : .failed
    }
  }
}
