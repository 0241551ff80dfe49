internal import Simulator

/// To which arguments of a parameterised test a token has belonged.
final class ArgumentTally: Sendable {
  @TaskLocal static var current: ArgumentTally?

  private struct State {
    var belonged = false
    var divergence: Divergence?
  }

  private let state = Guarded(State())

  /// With one argument `divergence` was met, or the schedule belonged to it.
  func add(_ divergence: Divergence?) {
    state.withLock { state in
      state.divergence = divergence ?? state.divergence
      if divergence == nil { state.belonged = true }
    }
  }

  /// A divergence, if there was one with every argument.
  var divergenceOfAll: Divergence? { state.withLock { $0.belonged ? nil : $0.divergence } }
}
