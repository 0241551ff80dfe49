internal import SimulatorCore
internal import SimulatorKernel

/// The connection to a server, which can be down for a while, as when the phone is in a tunnel.
///
/// ```swift
/// let network = FakeNetwork(delay: .seconds(1), connection: .offline(from: .seconds(2), for: .seconds(10)))
/// ```
///
/// A period includes its first moment and excludes its last: one that starts at 2 s and lasts 10 s is over at 12 s. A
/// request that
/// - begins in a period fails at once, with ``FakeNetwork/Failure/offline``;
/// - is in flight to the server when a period begins, or would arrive in that moment, never gets there: it fails with
///   ``FakeNetwork/Failure/connectionLost`` as soon as the period begins;
/// - has been acted on, and whose answer is in flight when a period begins, ends with the same error in the same
///   moment. What the server has done stays done. Only a call with an ``FakeBehavior/arrivalDelay`` has
///   such a way back.
///
/// The program gets no other notice: neither that the connection is lost, nor that it is back.
///
/// The periods are decided when the connection is made, and count from then, so make it in the simulation. An option in
/// which a period has no length is one in which it does not occur. Fakes that share a connection lose it together.
/// Outside a simulation it works too: the natural periods occur, in real time.
public struct FakeConnection: Hashable, Sendable {
  /// A time without a connection, as the test offers it.
  public struct Period: Hashable, Sendable {
    /// The time from the making of the connection to the beginning of the period.
    public var from: FakeTiming
    /// The length of the period. If it is zero, the period does not occur.
    public var length: FakeTiming

    /// Makes a period. For a range, one moment is decided at once, as in ``Simulation/choose(_:in:)``, which tries some
    /// of the range. For alternatives, a search tries all.
    ///
    /// - Precondition: No time is negative, and a list is not empty.
    public init(from: FakeTiming, for length: FakeTiming) {
      if let flaw = from.flaw { Self.refuse("from", flaw) }
      if let flaw = length.flaw { Self.refuse("for", flaw) }
      self.from = from
      self.length = length
    }

    private static func refuse(_ part: String, _ flaw: String) -> Never {
      // This is not a `precondition`, because an optimized build drops its message.
      fatalError("the `\(part)` of a period without a connection \(flaw)")
    }
  }

  /// A connection that is never down.
  public static let up = FakeConnection(offline: [])

  /// The periods in which it is down, in the order in which they were given, without those that do not occur. Two may
  /// overlap.
  public let downtimes: [Range<ContinuousClock.Instant>]

  /// Makes a connection that is down in these periods, which are decided now.
  public init(offline periods: [Period]) {
    let now = ContinuousClock.now
    downtimes = periods.compactMap { period in
      // The length is decided first, because a period that does not occur has no beginning to decide.
      let length = Self.drawn(period.length) { .length($0) }
      guard length > .zero else { return nil }
      let wait = Self.drawn(period.from) { .start($0) }
      if let simulation = Simulation.current {
        let start = simulation.now.advanced(by: wait)
        simulation.record(.offline(from: start, to: start.advanced(by: length)))
      }
      return now + wait..<now + wait + length
    }
  }

  /// An alternative, with its text in a report.
  private enum Option: CustomStringConvertible {
    case start(Duration)
    case length(Duration)

    var duration: Duration {
      switch self {
      case .start(let duration), .length(let duration): duration
      }
    }

    var description: String {
      switch self {
      case .start(let wait): "no connection after \(wait.shortText)"
      case .length(.zero): "none"
      case .length(let length): "\(length.shortText) without a connection"
      }
    }
  }

  private static func drawn(_ timing: FakeTiming, as option: (Duration) -> Option) -> Duration {
    guard case .alternatives(let durations) = timing else { return timing.drawn() }
    return Alternatives.drawn(.delay, among: durations.map(option)).duration
  }

  /// Returns a connection that is down once: see ``Period/init(from:for:)``.
  public static func offline(from: FakeTiming, for length: FakeTiming) -> FakeConnection {
    FakeConnection(offline: [Period(from: from, for: length)])
  }

  /// The state of the connection for a call that begins now. O(periods).
  var met: Met {
    guard !downtimes.isEmpty else { return .nothing }
    let now = ContinuousClock.now
    if downtimes.contains(where: { $0.contains(now) }) { return .downtime }
    return downtimes.lazy.map(\.lowerBound).filter { $0 > now }.min().map(Met.loss) ?? .nothing
  }

  /// The state of the connection for a call.
  enum Met: Hashable, Sendable {
    /// The connection is up and stays up.
    case nothing
    /// It is down.
    case downtime
    /// It goes down at this moment, if the call has not ended by then.
    case loss(ContinuousClock.Instant)
  }
}

extension FakeBehavior {
  /// Returns the same behavior over `connection`, or over its own connection if that is nil.
  func over(_ connection: FakeConnection?) -> FakeBehavior {
    guard let connection else { return self }
    var behavior = self
    behavior.connection = connection
    return behavior
  }
}
