import Observation

/// What the screen shows of each region of the map that can be kept on the device.
struct RegionScreen: Hashable, Sendable {
  enum Status: String, Hashable, Sendable {
    case absent, loading, ready, failed
  }

  private(set) var statuses: [String: Status] = [:]

  subscript(region: String) -> Status {
    get { statuses[region] ?? .absent }
    set { statuses[region] = newValue }
  }
}

typealias RegionEffect = @MainActor @Sendable () async -> Void

/// Runs effects under names by which they can be cancelled. When it goes away, so do they.
@MainActor protocol RegionExecutor: AnyObject {
  func run(_ name: String, _ effect: @escaping RegionEffect)
  func cancel(_ name: String)
}

/// The model behind the screen.
@MainActor @Observable final class RegionModel {
  private(set) var screen = RegionScreen()
  @ObservationIgnored private var executor: (any RegionExecutor)?
  @ObservationIgnored private let service: any RegionService

  init(executor: any RegionExecutor, service: any RegionService) {
    self.executor = executor
    self.service = service
  }

  func fetch(_ region: String) {
    executor?.run(region) { await self.load(region) }
  }

  func stop(_ region: String) {
    executor?.cancel(region)
    screen[region] = .absent
  }

  func leave() {
    executor = nil
  }

  private func load(_ region: String) async {
    // The user may have stopped it before it begins.
    guard !Task.isCancelled else { return }
    screen[region] = .loading
    let isFetched = await Self.isFetched(region, by: service)
    guard !Task.isCancelled else { return }
    screen[region] = isFetched ? .ready : .failed
  }
}

extension RegionModel {
  /// Asks off the main actor.
  @concurrent private nonisolated static func isFetched(_ region: String, by service: any RegionService) async
    -> Bool
  {
    (try? await service.fetch(region)) != nil
  }
}

// MARK: - Seams

protocol RegionService: Sendable {
  func fetch(_ region: String) async throws
}
