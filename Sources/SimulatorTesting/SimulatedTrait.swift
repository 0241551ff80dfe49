public import Simulator
public import SimulatorStrategyInterface
@_exported public import SimulatorTestSupport
public import Testing

/// Runs the body of a test under many schedules, or again under one: see
/// `Trait.simulated(schedules:seed:strategy:exhaustiveDeviationBound:replays:timeBudget:timeLimit:inSeparateProcess:options:sourceLocation:)`.
///
/// On a suite, it applies to every test in it. If a test or an inner suite has its own, that one takes precedence.
public struct SimulatedTrait: TestTrait, SuiteTrait {
  /// The way in which the body is run.
  enum Aim: Sendable {
    case search(SearchRequest)
    case replay(token: String)
  }

  let aim: Aim
  let options: Simulation.Options
  /// True if schedules run in a copy of the process.
  let isContained: Bool
  /// The place where the trait is written; nil if only the test's own place is known.
  var sourceLocation: SourceLocation?

  public var isRecursive: Bool { true }
}

extension Trait where Self == SimulatedTrait {
  /// Runs the test's unmodified body, in virtual time, under every schedule of a search.
  ///
  /// ```swift
  /// @Test(.simulated(schedules: 1_000)) func leavingWhileLoading() async throws {
  ///   let screen = Screen(loading: FakeNetwork(delay: .between(.zero, and: .seconds(5))))
  ///   async let loading: Void = screen.load()
  ///   await screen.leave()
  ///   await loading
  ///   #expect(await screen.isEmpty)
  /// }
  /// ```
  ///
  /// The search ends at the first schedule in which an expectation fails, the body throws, or a built-in check is
  /// violated. That schedule is made smaller, explained, and recorded once, at the line of the expectation, with the
  /// trait that replays it. A test that violates nothing passes in silence, unless there is something that a person
  /// must know. Then it has one warning, which names the fix: a search did not cover what it was meant to cover; tasks
  /// were still at work when the body returned; a fake's route was never requested, or no route fits a request. With
  /// the environment variable `SIMULATOR_COVERAGE=1` every test that passes prints what it covered.
  ///
  /// A schedule ends after ten minutes of virtual time, unless `timeLimit` says otherwise. A body that has not returned
  /// by then fails, and the issue says which line waits for what. The body runs in the simulation `Simulation.current`.
  ///
  /// Each argument of a parameterized test is searched separately. Searches run on their own threads, as many at a time
  /// as there are processors. A search of more than a thousand schedules also uses the processors that no other search
  /// has when it begins, and reports the same for any number of them. The tests beside them keep the real runtime.
  /// Traits before this one scope the whole search, those after it each schedule. A time limit is one of real time, on
  /// the whole search.
  ///
  /// A trap in a schedule (`fatalError`, a failed precondition, an index out of range, a continuation resumed twice),
  /// `exit`, and a step that does not return within five seconds are issues of this test, made smaller and replayed
  /// like any other, and the other tests go on. To make this possible, the search runs in a copy of the process, made
  /// for it by `fork`, which has everything that the process had when the search began: the suite, the arguments,
  /// globals. If the body changes something beyond its own schedule, such as a global or a file descriptor, it changes
  /// it in the copy, and the tests do not see it; files are shared. If `inSeparateProcess` is false, in a debugger, under a
  /// sanitizer, when covered lines are counted, and with the environment variable `SIMULATOR_CONTAINED=0`, everything
  /// runs in the process of the tests, and a trap ends that process.
  ///
  /// A violation also runs in a fresh process, in which nothing of the program has run but this test's own arguments,
  /// its conditions, and the traits before this one: not even another test. If the violation does not appear there,
  /// other tests have left something behind (a global, a static, a lazy value). The search then runs again in the fresh
  /// process, and what it finds there counts. A verdict says “in a fresh process too” only if this was done. It is not
  /// done if the search is not contained, or if the test does not begin in such a process, because a condition or a
  /// trait keeps it from beginning twice.
  ///
  /// If nothing can be simulated, on another platform or with another runtime, the test is skipped and says why; with
  /// the environment variable `SIMULATOR_REQUIRED=1` it fails.
  ///
  /// - Parameters:
  ///   - schedules: The greatest number of schedules to try.
  ///   - seed: The seed of random choices.
  ///   - strategy: The strategy that picks the schedules after the natural one. A test that names another strategy
  ///     imports `Simulator` too.
  ///   - exhaustiveDeviationBound: If set, every schedule with at most this many deviations from the natural order is tried
  ///     first.
  ///   - replays: The tokens of schedules that failed once. They are tried before the search, on top of its budget, and
  ///     stay as regression tests. A warning says where a schedule departs from its recording.
  ///   - timeBudget: If set, the real time that the search may take. It stops then, and a warning says what was
  ///     covered. Violations that were found are made smaller only as far as the time allows. A test whose first
  ///     execution has not ended by then fails. See `Trait.timeBudget(_:)` for all searches of a suite together.
  ///   - timeLimit: If set, the virtual time at which a schedule ends, instead of the ten minutes of `options`. A body
  ///     that has not returned by then fails.
  ///   - inSeparateProcess: True if a schedule that ends its process is an issue of this test only.
  ///   - options: The limits of one schedule, and the setting that makes work that outlives it a violation.
  ///   - sourceLocation: The place at which failures are reported.
  public static func simulated(
    schedules: Int = 1_000, seed: UInt64 = 0, strategy: any SchedulingStrategy = .portfolio,
    exhaustiveDeviationBound: Int? = nil, replays: [String] = [], timeBudget: Duration? = nil,
    timeLimit: Duration? = nil, inSeparateProcess: Bool = true,
    options: Simulation.Options = Simulation.Options(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    let search = SearchRequest(
      schedules: schedules, seed: seed, strategy: strategy,
      exhaustiveDeviationBound: exhaustiveDeviationBound,
      replays: replays, time: timeBudget)
    return SimulatedTrait(
      aim: .search(search), options: options.limited(to: timeLimit), isContained: inSeparateProcess,
      sourceLocation: sourceLocation)
  }

  /// Runs a search like
  /// `Trait.simulated(schedules:seed:strategy:exhaustiveDeviationBound:replays:timeBudget:timeLimit:inSeparateProcess:options:sourceLocation:)`,
  /// with only the defaults.
  public static var simulated: Self {
    var plain: Self = .simulated()
    plain.sourceLocation = nil
    return plain
  }

  /// Runs the test's unmodified body once, under the schedule of `token`, which a failed search has printed.
  ///
  /// A token that does not lead where it was recorded to lead is a failure, whatever the body does. If every choice of
  /// a token is met and nothing is violated anymore, the test passes, and a warning says so. With a parameterized
  /// test, a token belongs to one argument; the others then pass.
  ///
  /// - Parameters:
  ///   - token: The schedule: `debug/0:1/2#2e18b49f`.
  ///   - timeLimit: As in the search.
  ///   - inSeparateProcess: True if a schedule that ends its process is an issue of this test only.
  ///   - options: The limits of one schedule, the same as those of the search.
  ///   - sourceLocation: The place at which failures are reported.
  public static func simulated(
    replaying token: String, timeLimit: Duration? = nil, inSeparateProcess: Bool = true,
    options: Simulation.Options = Simulation.Options(), sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    SimulatedTrait(
      aim: .replay(token: token), options: options.limited(to: timeLimit), isContained: inSeparateProcess,
      sourceLocation: sourceLocation)
  }
}
