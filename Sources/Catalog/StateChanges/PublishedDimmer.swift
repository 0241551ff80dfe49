import CatalogInSwift5
import Observation

/// Belongs to the main actor. What comes while the lamp is being told waits for that, and those who wait may
/// overtake one another.
@MainActor @Observable final class PublishedDimmer: DimmerModel {
  private(set) var level = 0
  @ObservationIgnored private var inFlight: Task<Void, Never>?
  @ObservationIgnored private let lamp: any Lamp

  init(lamp: any Lamp) {
    self.lamp = lamp
  }

  func dim(to level: Int) {
    guard let inFlight else { return show(level) }
    Task {
      await inFlight.value
      show(level)
    }
  }

  private func show(_ level: Int) {
    self.level = level
    inFlight = Task {
      try? await lamp.dim(to: level)
      inFlight = nil
    }
  }
}
