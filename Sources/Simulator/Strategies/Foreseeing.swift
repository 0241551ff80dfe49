extension Strategies {
  /// A strategy that can tell, while a step runs, what it will most likely take behind it, so that the memory of that one is
  /// asked for meanwhile.
  protocol Foreseeing: SchedulingStrategy {
    /// What would be taken next with what is on offer now, were there `options` options; nil where that is not known. It
    /// decides nothing, and what is drawn later does not hang on it.
    mutating func likelyNext(options: Int) -> Strategies.Pick?
  }
}
