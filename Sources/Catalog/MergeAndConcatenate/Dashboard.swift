import Observation

/// What the dashboard shows.
struct DashboardScreen: Hashable, Sendable {
  var weather = ""
  var news = ""
  var mail = ""
  var isSaved = false
  /// True if something has not come, or could not be saved.
  var hasFailed = false
}

/// Everything that can happen to it.
enum DashboardAction: Hashable, Sendable {
  case weather(String)
  case news(String)
  case mail(String)
  case saved
  case failed
}

/// Work that sends actions and then is done.
struct DashboardEffect: Sendable {
  typealias Send = @MainActor @Sendable (DashboardAction) -> Void

  let run: @MainActor @Sendable (_ send: @escaping Send) async -> Void
}

/// How effects are put together.
protocol EffectCombinators: Sendable {
  /// All at once; done when all are.
  func merge(_ effects: [DashboardEffect]) -> DashboardEffect
  /// One after the other.
  func concatenate(_ effects: [DashboardEffect]) -> DashboardEffect
}

/// The store behind the screen: three tiles that load side by side, and are saved when all are there. A newer refresh cancels
/// the older; what that still brings is neither shown nor saved.
@MainActor @Observable final class DashboardStore {
  private(set) var screen = DashboardScreen()
  /// What it said before the first refresh that is under way.
  @ObservationIgnored private var settled = (isSaved: false, hasFailed: false)
  @ObservationIgnored private var refreshes = 0
  @ObservationIgnored private var latest: Task<Void, Never>?
  @ObservationIgnored private let saves = Turns()
  @ObservationIgnored private let effects: any EffectCombinators
  @ObservationIgnored private let service: any DashboardService
  @ObservationIgnored private let archive: any DashboardArchive

  init(effects: any EffectCombinators, service: any DashboardService, archive: any DashboardArchive) {
    self.effects = effects
    self.service = service
    self.archive = archive
  }

  func refresh() async {
    latest?.cancel()
    refreshes += 1
    let number = refreshes
    (screen.isSaved, screen.hasFailed) = (false, false)
    let task = Task { await refresh(number) }
    latest = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func refresh(_ number: Int) async {
    await effects.concatenate([effects.merge([weather, news, mail]), save(number)]).run { action in
      if number == self.refreshes { self.receive(action) }
    }
    guard number == refreshes else { return }
    // A refresh that was cancelled says what was said before it, if it has brought nothing.
    if Task.isCancelled, !screen.isSaved, !screen.hasFailed {
      (screen.isSaved, screen.hasFailed) = settled
    } else {
      settled = (screen.isSaved, screen.hasFailed)
    }
  }

  private func receive(_ action: DashboardAction) {
    switch action {
    case .weather(let text): screen.weather = text
    case .news(let text): screen.news = text
    case .mail(let text): screen.mail = text
    case .saved: screen.isSaved = true
    case .failed: screen.hasFailed = true
    }
  }

  private var weather: DashboardEffect {
    effect { [service] in .weather(try await service.forecast()) }
  }

  private var news: DashboardEffect {
    effect { [service] in .news(try await service.news()) }
  }

  private var mail: DashboardEffect {
    effect { [service] in .mail(try await service.mail()) }
  }

  /// Works off the main actor, and sends on it.
  private func effect(
    _ work: @escaping @concurrent @Sendable () async throws -> DashboardAction
  ) -> DashboardEffect {
    DashboardEffect { send in
      do {
        send(try await work())
      } catch {
        // A cancel is no failure.
        if !error.isCancellation, !Task.isCancelled { send(.failed) }
      }
    }
  }

  private func save(_ number: Int) -> DashboardEffect {
    DashboardEffect { [self] send in
      await saves.take()
      defer { saves.give() }
      guard number == refreshes else { return }
      await effect { [archive, screen] in
        try Task.checkCancellation()
        try await archive.save(screen)
        return .saved
      }.run(send)
    }
  }
}

// MARK: - Seams

protocol DashboardService: Sendable {
  func forecast() async throws -> String
  func news() async throws -> String
  func mail() async throws -> String
}

protocol DashboardArchive: Sendable {
  func save(_ screen: DashboardScreen) async throws
}
