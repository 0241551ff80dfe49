package import SimulatorCore

extension Strategies {
  /// A strategy that can predict, while a step runs, which step it will most likely take next, so that the memory of
  /// that step is prefetched meanwhile.
  package protocol Foreseeing: SchedulingStrategy {
    /// Returns the pick that would come next with the present offers if there were `options` options; nil if that is
    /// not known. The prediction decides nothing, and later random numbers do not depend on it.
    mutating func likelyNext(options: Int) -> Strategies.Pick?
  }
}
