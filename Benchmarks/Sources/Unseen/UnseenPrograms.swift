public import TwinPrograms

/// Small programs that no strategy was tuned on: whoever changes a strategy measures it here afterwards, and does not read
/// them before.
public enum UnseenPrograms {
  /// Every program.
  public static let all: [TwinProgram] = [
    .jobQueue, .stealingPool, .writeBackCache, .autosave, .election,
    .logShipper, .twoPhaseCommit, .connectionRace, .histogram, .playerEvents,
  ]
}
