/// A moment of virtual time: whole nanoseconds since the execution began.
public struct VirtualInstant: InstantProtocol, Codable, Sendable, CustomStringConvertible {
  /// Nanoseconds since the execution began.
  public var nanoseconds: Int64

  /// Creates the moment `nanoseconds` after the execution began.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The moment at which every execution begins.
  public static let start = VirtualInstant(nanoseconds: 0)

  public func advanced(by duration: Duration) -> VirtualInstant {
    VirtualInstant(nanoseconds: nanoseconds.addingClamped(duration.wholeNanoseconds))
  }

  public func duration(to other: VirtualInstant) -> Duration {
    .nanoseconds(other.nanoseconds.subtractingReportingOverflow(nanoseconds).partialValue)
  }

  public static func < (lhs: VirtualInstant, rhs: VirtualInstant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  /// The time since the start in the largest fitting unit, exact: `2.05 s`, `300 ms`, `0 s`.
  public var description: String { Duration.nanoseconds(nanoseconds).shortText }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded toward zero and clamped to what 64 bits hold (292 years).
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    return scaled.addingClamped(attoseconds / 1_000_000_000)
  }

  /// The duration in the largest unit that is not above it, exact, without trailing zeros: `1.5 s`, `20 ms`.
  package var shortText: String {
    let total = wholeNanoseconds
    let magnitude = total.magnitude
    let (unit, digits, name): (UInt64, Int, String) =
      switch magnitude {
      case 0: (1, 0, "s")
      case ..<1_000: (1, 0, "ns")
      case ..<1_000_000: (1_000, 3, "µs")
      case ..<1_000_000_000: (1_000_000, 6, "ms")
      default: (1_000_000_000, 9, "s")
      }
    var text = String(magnitude / unit)
    var (fraction, places) = (magnitude % unit, digits)
    if fraction != 0 {
      while fraction % 10 == 0 { (fraction, places) = (fraction / 10, places - 1) }
      let shown = String(fraction)
      text += "." + String(repeating: "0", count: places - shown.utf8.count) + shown
    }
    return (total < 0 ? "-" : "") + text + " " + name
  }
}

extension Int64 {
  /// Returns the sum, clamped to the type's range instead of overflowing.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }
}
