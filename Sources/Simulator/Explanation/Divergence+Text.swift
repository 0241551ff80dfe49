internal import SimulatorCore

extension Explorer.Divergence: CustomStringConvertible {
  public var description: String {
    if let nondeterminism { return "the program does not repeat itself: " + nondeterminism }
    return ([what] + [lastStep].compactMap { $0 }.map(near) + [cause].compactMap { $0 }).joined(
      separator: "\n")
  }

  private var what: String {
    switch difference {
    case .options(let position, let expected, let found):
      "at choice \(position) the recording had \(expected) options and this run has \(found)"
    case .endedEarly(let position, let choices):
      "the recording goes on to choice \(position), but this run ended after \(choices) choices"
    case .trace(let expected, let found):
      "every recorded choice was met, but the trace hashes to \(found.hexText) instead of \(expected.hexText)"
    case .build(let expected, let found):
      "recorded in a \(expected.rawValue) build, replayed in a \(found.rawValue) build; "
        + "their scheduling points differ"
    case .hashSeed(let expected, let found):
      "recorded with sets and dictionaries in the order of seed \(expected), replayed in that of seed \(found); "
        + (expected == 0 ? "unset SIMULATOR_HASH_SEED" : "set SIMULATOR_HASH_SEED=\(expected)")
    }
  }

  private func near(_ step: String) -> String {
    if case .trace = difference { return "the last recorded deviation was met after \(step)" }
    return "it had come as far as \(step)"
  }

  private var cause: String? {
    switch difference {
    case .build, .hashSeed: return nil
    default: break
    }
    if needsKeptState {
      return "not in a fresh process: it does what was recorded only where the program has run before, so "
        + KeptState.decides
    }
    return "usual causes: the program has changed since the recording; " + DivergenceCause.usual
  }
}
