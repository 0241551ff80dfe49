package import SimulatorCore
internal import SimulatorKernel

/// The time that something takes.
///
/// Inside a simulation a range and alternatives are choices on the tape. Outside, and in the natural order, the low end
/// and the first alternative are taken. Alternatives are decided when the time begins. The moment at which a range ends
/// is decided as time moves: see ``Simulation/sleep(in:)``.
///
/// ```swift
/// let network = FakeNetwork(delay: .seconds(5))
/// let store = FakeStore(writeDelay: .between(.milliseconds(100), and: .seconds(2)))
/// ```
public enum FakeTiming: Hashable, Sendable {
  /// Always this long. Not negative.
  case fixed(Duration)
  /// At least the low end, which is the natural one, and at most the high end.
  case range(ClosedRange<Duration>)
  /// One of these; the first is the natural one. There must be at least one.
  case alternatives([Duration])

  /// No time at all.
  public static let none = FakeTiming.fixed(.zero)

  /// Whole seconds.
  public static func seconds(_ seconds: Int) -> FakeTiming { .fixed(.seconds(seconds)) }

  /// Whole milliseconds.
  public static func milliseconds(_ milliseconds: Int) -> FakeTiming { .fixed(.milliseconds(milliseconds)) }

  /// Returns a time of at least `low`, the natural choice, and at most `high`, which must not be less.
  public static func between(_ low: Duration, and high: Duration) -> FakeTiming {
    guard low <= high else {
      // This is not a `precondition`, because an optimized build drops its message.
      fatalError("a time between \(low) and \(high) does not exist: write the shorter duration first")
    }
    return .range(low...high)
  }

  /// Returns a time that is one of `durations`; the first is the natural one. There must be at least one.
  public static func oneOf(_ durations: Duration...) -> FakeTiming { .alternatives(durations) }

  /// The flaw of the value, in words that follow its name; nil if it has none.
  var flaw: String? {
    switch self {
    case .fixed(let duration): Self.negative(duration)
    case .range(let range): Self.negative(range.lowerBound)
    case .alternatives(let durations):
      durations.isEmpty
        ? "has no alternatives: name at least one duration, or write `.none`"
        : durations.lazy.compactMap(Self.negative).first
    }
  }

  private static func negative(_ duration: Duration) -> String? {
    duration < .zero ? "is negative (\(duration)): a time is zero or longer" : nil
  }

  /// Decides between alternatives, but leaves open at which moment of a range the time ends.
  func offered(_ kind: Schedule.Choice.Kind = .delay) -> ClosedRange<Duration> {
    if case .range(let range) = self { return range }
    let duration = drawn(kind)
    return duration...duration
  }

  /// Decides between alternatives, and on one moment of a range.
  package func drawn(_ kind: Schedule.Choice.Kind = .delay) -> Duration {
    switch self {
    case .fixed(let duration): duration
    case .range(let range): Simulation.current?.choose(kind, in: range) ?? range.lowerBound
    case .alternatives(let durations): Alternatives.drawn(kind, among: durations)
    }
  }
}

enum Alternatives {
  /// Returns one of `options`: by a choice inside a simulation, the first outside.
  static func drawn<Option>(_ kind: Schedule.Choice.Kind, among options: [Option]) -> Option {
    guard options.count > 1, let simulation = Simulation.current else { return options[0] }
    return simulation.choose(kind, among: options)
  }
}
