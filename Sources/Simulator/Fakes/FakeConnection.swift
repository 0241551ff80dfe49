/// The way to a server, which can be down for a while: the phone in a tunnel.
///
/// ```swift
/// let network = FakeNetwork(delay: .seconds(1), connection: .offline(from: .seconds(2), for: .seconds(10)))
/// ```
///
/// A period begins with its first moment and ends just before its last: one from 2 s on for 10 s is over at 12 s. A request
/// that
/// - begins in a period fails at once, with ``FakeNetwork/Failure/offline``;
/// - is on its way to the server when a period begins never gets there, and one that would arrive in that moment neither:
///   ``FakeNetwork/Failure/connectionLost``, as soon as the period begins;
/// - has been acted on, and whose answer is on the way back when a period begins, ends with the same error in the same
///   moment. What the server has done stays done. Only a call that says when it ``FakeBehavior/reaches`` the server has such
///   a way back.
///
/// The program is told nothing else: neither that the connection goes, nor that it is there again.
///
/// When the periods are is decided when the connection is made, and counts from then: make it in the simulation. An option
/// in which a period lasts no time is one in which it does not come. Fakes that are given the same connection lose it
/// together. Outside a simulation it works too: the natural periods come, in real time.
public struct FakeConnection: Hashable, Sendable {
  /// A time without a connection, as it is offered.
  public struct Period: Hashable, Sendable {
    /// When it begins, from the making of the connection on.
    public var from: FakeTiming
    /// How long it lasts; none, and it does not come.
    public var length: FakeTiming

    /// A period. Of a range one moment is decided on at once, as ``Simulation/choose(_:in:)`` does, which tries some of
    /// it; of alternatives a search tries all.
    ///
    /// - Precondition: No time is negative, and a list is not empty.
    public init(from: FakeTiming, for length: FakeTiming) {
      if let flaw = from.flaw { Self.refuse("from", flaw) }
      if let flaw = length.flaw { Self.refuse("for", flaw) }
      self.from = from
      self.length = length
    }

    private static func refuse(_ part: String, _ flaw: String) -> Never {
      // Not `precondition`: an optimized build drops its sentence.
      fatalError("the `\(part)` of a period without a connection \(flaw)")
    }
  }

  /// Never down.
  public static let up = FakeConnection(offline: [])

  /// When it is down, in the order in which that was said: those periods that come. Two may overlap.
  public let downtimes: [Range<ContinuousClock.Instant>]

  /// A connection that is down in these periods, which are decided on now.
  public init(offline periods: [Period]) {
    let now = ContinuousClock.now
    downtimes = periods.compactMap { period in
      // First, for a period that does not come has no beginning to decide on.
      let length = Self.drawn(period.length) { .length($0) }
      guard length > .zero else { return nil }
      let wait = Self.drawn(period.from) { .start($0) }
      if let simulation = Simulation.current {
        let start = simulation.now.advanced(by: wait)
        simulation.record(.note("no connection from \(start) to \(start.advanced(by: length))"))
      }
      return now + wait..<now + wait + length
    }
  }

  /// What an alternative stands for, as a report tells it.
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

  /// A connection that is down once: see ``Period/init(from:for:)``.
  public static func offline(from: FakeTiming, for length: FakeTiming) -> FakeConnection {
    FakeConnection(offline: [Period(from: from, for: length)])
  }

  /// What a call meets that begins now. O(periods).
  var met: Met {
    guard !downtimes.isEmpty else { return .nothing }
    let now = ContinuousClock.now
    if downtimes.contains(where: { $0.contains(now) }) { return .downtime }
    return downtimes.lazy.map(\.lowerBound).filter { $0 > now }.min().map(Met.loss) ?? .nothing
  }

  /// What a call meets on its connection.
  enum Met: Hashable, Sendable {
    /// Nothing: the connection is up and stays so.
    case nothing
    /// It is down.
    case downtime
    /// It goes at this moment, if the call has not ended by then.
    case loss(ContinuousClock.Instant)
  }
}

extension FakeBehavior {
  /// The same over `connection`; over its own where that is nil.
  func over(_ connection: FakeConnection?) -> FakeBehavior {
    guard let connection else { return self }
    var behavior = self
    behavior.connection = connection
    return behavior
  }
}
