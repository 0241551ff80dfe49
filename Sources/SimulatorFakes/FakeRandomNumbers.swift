internal import SimulatorCore
internal import SimulatorKernel

/// A source of random numbers, for code that takes one: the test says where in its range a number may lie.
///
/// ```swift
/// var dice = FakeRandomNumbers(fractions: [0.5, 0, 1])
/// let jitter = Double.random(in: 0..<1, using: &dice)   // 0.5; or by choice almost 0, or almost 1
/// ```
///
/// Each number is a choice on the tape, and the first fraction is natural. Outside a simulation it is always the first.
/// Code that takes no source needs none of this: inside a simulation what the system draws is the schedule's.
public struct FakeRandomNumbers: RandomNumberGenerator, Sendable {
  private let fractions: [Double]
  private var drawn: UInt64 = 0

  /// Makes a source whose numbers lie at one of these fractions of their range, each from 0 to 1. At least one is needed.
  /// An integer lies within a two-thousandth of its range from there.
  public init(fractions: [Double] = [0.5, 0, 1]) {
    guard !fractions.isEmpty, fractions.allSatisfy((0...1).contains) else {
      // This is not a `precondition`, because an optimized build drops its message.
      fatalError("random numbers need at least one fraction, and each is from 0 to 1: \(fractions)")
    }
    self.fractions = fractions
  }

  public mutating func next() -> UInt64 {
    drawn += 1
    let fraction = Alternatives.drawn(.alternative, among: fractions)
    // The standard library makes an integer of the high bits, and a `Double` of the low 53.
    let high = UInt64(min(fraction * 0x1p11, 0x1p11 - 1)) << 53
    let low = UInt64(min(fraction * 0x1p53, 0x1p53 - 0x1p17)) | 1 << 32
    // It draws again where a number would make some results likelier than others. So no two draws are the same.
    return high | low ^ (drawn & 0xFFFF)
  }
}

/// A source of identifiers, for code that takes one. Equal executions get equal identifiers.
///
/// ```swift
/// let ids = FakeIDs("order")
/// model.makeID = { ids.next() }   // order 1, order 2, …
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
  ///   - repeats: The options for each identifier, the natural one first: true if it is the one before once more, as
  ///     from a clock that is too coarse.
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
