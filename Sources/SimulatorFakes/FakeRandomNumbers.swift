internal import SimulatorCore
internal import SimulatorKernel

/// A source of random numbers, for code that takes one: the test says where in its range a number may lie.
///
/// ```swift
/// var dice = FakeRandomNumbers()
/// print(Int.random(in: 1...6, using: &dice))   // anything; or, by choice, 1 or 6
/// ```
///
/// Each number is a choice on the tape, and the first place is natural. Outside a simulation it is always the first. Code
/// that takes no source needs none of this: inside a simulation the schedule draws the system's random numbers.
public struct FakeRandomNumbers: RandomNumberGenerator, Sendable {
  /// Where in its range a number lies.
  public enum Place: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Anywhere: what the system draws.
    case anywhere
    /// At the low end: the first element, the least integer, or almost the lower bound.
    case lowest
    /// At the high end: the last element, the greatest integer, or almost the upper bound.
    case highest

    public var description: String { "the number is \(rawValue)" }
  }

  private let places: [Place]

  /// Makes a source whose numbers lie at one of these places. At least one is needed.
  public init(_ places: [Place] = [.anywhere, .lowest, .highest]) {
    if places.isEmpty {
      // This is not a `precondition`, because an optimized build drops its message.
      fatalError("random numbers need at least one place: write `[.anywhere]`")
    }
    self.places = places
  }

  public mutating func next() -> UInt64 {
    switch Alternatives.drawn(.alternative, among: places) {
    case .anywhere:
      var system = SystemRandomNumberGenerator()
      return system.next()
    // The standard library uses the low bits for narrow types, and all of them for others. It draws again where a number
    // would make some results likelier than others, but never for these two.
    case .lowest: return 1
    case .highest: return .max
    }
  }
}

/// A source of identifiers, for code that takes one. A replay gets the same identifiers, if the source is made in the
/// simulation.
///
/// ```swift
/// let ids = FakeIDs("order")
/// print(ids.next())   // order 1
/// ```
///
/// Outside a simulation it works too.
public final class FakeIDs: Sendable {
  private let prefix: String
  private let repeats: [Bool]
  private let count = Guarded(0)

  /// Makes a source of `prefix 1`, `prefix 2` and so on.
  ///
  /// - Parameters:
  ///   - prefix: The word before the number.
  ///   - repeats: The options for each identifier, the natural one first: true to repeat the previous one, as a coarse
  ///     clock does.
  public init(_ prefix: String = "id", repeats: [Bool] = [false]) {
    if repeats.isEmpty {
      // This is not a `precondition`, because an optimized build drops its message.
      fatalError("the identifiers \(prefix) need an option: for ones that never repeat write `[false]`")
    }
    self.prefix = prefix
    self.repeats = repeats
  }

  /// Returns the next identifier.
  public func next() -> String {
    Simulation.current?.comesTo(self, changes: true)
    Simulation.current?.access(fake: prefix, .exclusive)
    let isRepeated = count.withLock { $0 } > 0 && Alternatives.drawn(.alternative, among: repeats)
    let number = count.withLock { count in
      if !isRepeated { count += 1 }
      return count
    }
    return "\(prefix) \(number)"
  }
}
