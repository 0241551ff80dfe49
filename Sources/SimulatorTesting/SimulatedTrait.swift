public import Simulator
@_exported public import SimulatorTestSupport
public import Testing

/// Runs the body of a test under many schedules, or again under one: see
/// ``Testing/Trait/simulated(schedules:seed:strategy:exhaustsDeviations:replays:options:sourceLocation:)``.
///
/// On a suite it holds for every test in it; where a test or an inner suite has one of its own, that one
/// holds.
public struct SimulatedTrait: TestTrait, SuiteTrait {
  /// What is to be done with the body.
  enum Aim: Sendable {
    case search(SearchRequest)
    case replay(token: String)
  }

  let aim: Aim
  let options: Simulation.Options
  /// Where the trait is written.
  let sourceLocation: SourceLocation

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
  /// The first schedule in which an expectation fails, the body throws, or something that is checked without
  /// being asked is violated, ends the search. It is made smaller, explained, and recorded once, at the line
  /// of the expectation, with the trait that replays it. A test that violates nothing passes in
  /// silence, with one exception: a search that did not cover what it was to cover says so in a warning. With
  /// the environment variable `SIMULATOR_COVERAGE=1` every test that passes prints what it covered.
  /// `Simulation.current` is the simulation that the body runs in.
  ///
  /// Each argument of a parameterized test is searched on its own. Searches run on threads of their own, as
  /// many at a time as there are processors; the tests beside them keep the real runtime. Traits before this
  /// one scope the whole search, those after it each schedule. A time limit is one of real time, on the whole
  /// search.
  ///
  /// - Parameters:
  ///   - schedules: How many schedules to try at most.
  ///   - seed: What random choices are drawn from.
  ///   - strategy: What picks the schedules after the natural one. A test that names another strategy imports
  ///     `Simulator` too.
  ///   - exhaustsDeviations: When set, every schedule with at most so many deviations from the natural order
  ///     is tried first.
  ///   - replays: The tokens of schedules that failed once: they are tried before the search, on top of its
  ///     budget, and stay as regression tests. One that parts from its recording says where in a warning.
  ///   - options: The limits of one schedule, and whether work that outlives it is a violation.
  public static func simulated(
    schedules: Int = 1_000, seed: UInt64 = 0, strategy: any SchedulingStrategy = Strategies.Portfolio(),
    exhaustsDeviations: Int? = nil, replays: [String] = [],
    options: Simulation.Options = Simulation.Options(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    let search = SearchRequest(
      schedules: schedules, seed: seed, strategy: strategy, exhaustsDeviations: exhaustsDeviations,
      replays: replays)
    return SimulatedTrait(aim: .search(search), options: options, sourceLocation: sourceLocation)
  }

  /// Like ``Testing/Trait/simulated(schedules:seed:strategy:exhaustsDeviations:replays:options:sourceLocation:)``
  /// with nothing but its defaults.
  public static var simulated: Self { .simulated() }

  /// Runs the test's unmodified body once, under the schedule of `token`, which a failed search has printed.
  ///
  /// A token that does not lead where it was recorded to lead is a failure, whatever the body does. One whose
  /// every choice is met and that violates nothing any more passes, and a warning says so. Of a parameterized
  /// test it belongs to one argument; the others then pass.
  ///
  /// - Parameters:
  ///   - token: The schedule: `debug/0:1/2#2e18b49f`.
  ///   - options: The limits of one schedule, the same as those of the search.
  public static func simulated(
    replaying token: String, options: Simulation.Options = Simulation.Options(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    SimulatedTrait(aim: .replay(token: token), options: options, sourceLocation: sourceLocation)
  }
}
