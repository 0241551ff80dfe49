/// A length of virtual time in whole nanoseconds, from none to 365 days.
public struct Nanoseconds: Hashable, Comparable, Codable, Sendable {
  /// The number of nanoseconds.
  public let count: Int64

  /// The longest that a scenario may name: 365 days.
  public static let longest = Nanoseconds(365 * Unit.days.nanoseconds)

  /// A length of `count` nanoseconds.
  ///
  /// - Precondition: `count` is not negative and at most 365 days.
  public init(_ count: Int64) {
    precondition(count >= 0 && count <= 365 * Unit.days.nanoseconds, "a virtual duration is 0 ns to 365 d")
    self.count = count
  }

  /// No time at all.
  public static let zero = Nanoseconds(0)

  /// A length of whole milliseconds.
  public static func milliseconds(_ count: Int64) -> Nanoseconds {
    Nanoseconds(count * Unit.milliseconds.nanoseconds)
  }

  /// A length of whole seconds.
  public static func seconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * Unit.seconds.nanoseconds) }

  /// A length of whole minutes.
  public static func minutes(_ count: Int64) -> Nanoseconds { Nanoseconds(count * Unit.minutes.nanoseconds) }

  /// The length as the standard library's type.
  public var duration: Duration { .nanoseconds(count) }

  /// Compares lengths.
  public static func < (a: Nanoseconds, b: Nanoseconds) -> Bool { a.count < b.count }
}

extension Nanoseconds: CustomStringConvertible {
  /// As a scenario file writes it, in the largest unit that needs no fraction: `90s`, `2m`, `1500us`.
  public var description: String {
    guard count > 0 else { return "0s" }
    let unit = Unit.allCases.last { count.isMultiple(of: $0.nanoseconds) } ?? .nanoseconds
    return "\(count / unit.nanoseconds)\(unit.rawValue)"
  }
}

extension Nanoseconds {
  /// The units of a duration, shortest first.
  enum Unit: String, CaseIterable {
    case nanoseconds = "ns"
    case microseconds = "us"
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "m"
    case hours = "h"
    case days = "d"

    static var names: [String] { allCases.map(\.rawValue) }

    var nanoseconds: Int64 {
      switch self {
      case .nanoseconds: 1
      case .microseconds: 1_000
      case .milliseconds: 1_000_000
      case .seconds: 1_000_000_000
      case .minutes: 60 * 1_000_000_000
      case .hours: 3_600 * 1_000_000_000
      case .days: 86_400 * 1_000_000_000
      }
    }
  }
}
