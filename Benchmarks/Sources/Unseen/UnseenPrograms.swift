public import TwinPrograms

/// Small programs that no strategy was tuned on: change a strategy without reading them, and measure it here afterwards.
public enum UnseenPrograms {
  /// Every program.
  public static let all: [TwinProgram] = [
    .jobQueue, .stealingPool, .writeBackCache, .autosave, .election,
    .logShipper, .twoPhaseCommit, .connectionRace, .histogram, .playerEvents,
  ]
}
