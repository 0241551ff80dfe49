import CatalogInSwift5
import Observation

/// Belongs to the main actor and shows each level at once; the lamp is told one after the other.
@MainActor @Observable final class HardenedDimmer: DimmerModel {
  private(set) var level = 0
  @ObservationIgnored private var latest: Task<Void, Never>?
  @ObservationIgnored private let lamp: any Lamp

  init(lamp: any Lamp) {
    self.lamp = lamp
  }

  func dim(to level: Int) {
    self.level = level  // guard: shown-at-once => Task { await Task.yield(); self.level = level }
    latest = Task { [latest] in
      await latest?.value  // guard: told-one-after-the-other
      try? await lamp.dim(to: level)
    }
  }
}

// Not guards: the same model in Swift 6, on the actor that is marked.
