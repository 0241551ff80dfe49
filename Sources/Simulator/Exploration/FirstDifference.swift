internal import SimulatorCore

/// The first difference between two traces of one program.
struct FirstDifference: Hashable, Sendable {
  /// The number of events that they share from the beginning.
  let agreed: Int
  /// The first event of each that differs; nil if that trace has ended.
  let one: Trace.Event?
  let other: Trace.Event?

  /// Compares two traces; nil if both are the same to the end.
  init?(_ one: Trace, _ other: Trace) {
    var index = 0
    let limit = min(one.events.count, other.events.count)
    while index < limit, one.events[index] == other.events[index] { index += 1 }
    agreed = index
    self.one = index < one.events.count ? one.events[index] : nil
    self.other = index < other.events.count ? other.events[index] : nil
    if self.one == nil, self.other == nil { return nil }
  }
}
