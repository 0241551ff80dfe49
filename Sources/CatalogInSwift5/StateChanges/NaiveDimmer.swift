import Observation

/// Belongs to no actor. What comes while the lamp is being told waits for that in a task of its own, and is
/// shown by it.
@Observable package final class NaiveDimmer: DimmerModel {
  package private(set) var level = 0
  @ObservationIgnored private var inFlight: Task<Void, Never>?
  @ObservationIgnored private let lamp: any Lamp

  package init(lamp: any Lamp) {
    self.lamp = lamp
  }

  package func dim(to level: Int) {
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
