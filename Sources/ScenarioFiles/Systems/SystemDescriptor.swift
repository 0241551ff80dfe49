public import Simulator

/// The vocabulary of one system in scenario files: every name that they may use, with a sentence for each.
///
/// A scenario is checked against the descriptor alone; the system itself is never asked.
///
/// ```swift
/// let descriptor = SystemDescriptor(
///   "counter", "Counts taps and saves the count.",
///   variants: [.init("naive", "Saves whenever it likes."), .init("hardened", "Saves in order.")],
///   actions: [.init("tap", "Counts up.", arguments: [.integer("by", "How far.", default: 1)])],
///   fakes: [.init("store", "Where the count is kept.", operations: [
///     .init("write", "Saves the count.", faults: ["never", "before-commit"])])],
///   invariants: [.init("no-lost-update", "Every tap is counted.")])
/// ```
public struct SystemDescriptor: Hashable, Sendable {
  /// The name for `"system"` in a scenario.
  public var name: String
  /// One line.
  public var summary: String
  /// The ways in which the system is built, worst first.
  public var variants: [Variant]
  /// The actions that a script can use.
  public var actions: [Action]
  /// The fakes that the system runs against.
  public var fakes: [Fake]
  /// The settings for `"with"`; each has a default.
  public var settings: [Parameter]
  /// The invariants for `"check"`.
  public var invariants: [Invariant]
  /// The rules that are true of every screen and not of its own.
  public var exceptions: [Exception]
  /// The lesson for a reader, besides its races; nil if there is none.
  public var lesson: Lesson?

  /// A descriptor; ``CommandLineTool`` refuses to start with one that contradicts itself.
  public init(
    _ name: String, _ summary: String, variants: [Variant], actions: [Action], fakes: [Fake] = [],
    settings: [Parameter] = [], invariants: [Invariant] = [], exceptions: [Exception] = [],
    lesson: Lesson? = nil
  ) {
    self.name = name
    self.summary = summary
    self.variants = variants
    self.actions = actions
    self.fakes = fakes
    self.settings = settings
    self.invariants = invariants
    self.exceptions = exceptions
    self.lesson = lesson
  }
}

extension SystemDescriptor {
  /// One way in which the system is built, such as `naive` or `hardened`.
  public struct Variant: Hashable, Sendable {
    /// The name for `"expect"` and `"replays"`.
    public var name: String
    /// One line.
    public var summary: String
    /// The diagnoses that a violation may have, by the invariant's name. A violation of any other invariant is unclassified.
    public var diagnoses: [String: Set<Simulator.Invariant.Diagnosis>]
    /// True if it is meant to hold in every story: `simrun fuzz` fails if it does not hold then, or if it holds and this is
    /// false.
    public var isSound: Bool
    /// The names of what it never meets, whatever the user and the world do: operations such as `"store write"`, their
    /// replies and faults (`"store write: torn"`), a lost connection (`"offline"`), invariants. `simrun fuzz --strict` fails if
    /// anything else is never put to the test, and if one of these is.
    public var untested: [String]
    /// The rules of the boundaries that it breaks in the natural order of at least one scenario, by the names of their
    /// invariants. `simrun audit` fails if it breaks any other, or not all of these.
    public var breaks: [String]

    /// A variant; one without diagnoses is meant to hold, unless `isSound` says otherwise.
    public init(
      _ name: String, _ summary: String, diagnoses: [String: Set<Simulator.Invariant.Diagnosis>] = [:],
      isSound: Bool? = nil, untested: [String] = [], breaks: [String] = []
    ) {
      self.name = name
      self.summary = summary
      self.diagnoses = diagnoses
      self.isSound = isSound ?? diagnoses.isEmpty
      self.untested = untested
      self.breaks = breaks
    }
  }
}

extension SystemDescriptor {
  /// One thing that a user, or the world, does to the system.
  public struct Action: Hashable, Sendable {
    /// The name for `"do"`.
    public var name: String
    /// One line.
    public var summary: String
    /// The keys of the script line besides `do`, `as`, `times` and `at`.
    public var arguments: [Parameter]

    /// The process dies, at any moment, and the app is launched again: a system that lists this is made anew on the same
    /// world, and ``System/perform(_:)`` is never asked for it.
    ///
    /// Its tasks are never resumed, and what it held in memory is gone; what its stores have committed stays. What the new
    /// one is to know it reads from them. A request that was on its way gets there. Invariants judge each launch by itself, but for
    /// those that say otherwise: `Invariant.Monitor.outlivesProcess`. For systems of tasks and actors, not for those
    /// that work on queues or threads.
    public static let relaunch = Action("relaunch", "The process dies, and the app is launched again.")

    package var isRelaunch: Bool { self == .relaunch }

    /// An action.
    public init(_ name: String, _ summary: String, arguments: [Parameter] = []) {
      self.name = name
      self.summary = summary
      self.arguments = arguments
    }
  }
}

extension SystemDescriptor {
  /// Something outside the system that a fake stands for. Where it may reply `offline` to something, it is reached over the
  /// connection of the device, which a scenario can have go down: `"world": { "offline": [ … ] }`.
  public struct Fake: Hashable, Sendable {
    /// Its key in `"world"`, such as `network`.
    public var name: String
    /// One line.
    public var summary: String
    /// The operations that the system calls.
    public var operations: [Operation]

    /// A fake.
    public init(_ name: String, _ summary: String, operations: [Operation]) {
      self.name = name
      self.summary = summary
      self.operations = operations
    }

    /// Whether its calls go over the connection of the device: some of them may be answered that there is none.
    package var isRemote: Bool { operations.contains { $0.replies.contains(FakeReply.offline.name) } }
  }

  /// Whether there is something that notices when the connection of the device is down.
  var isConnected: Bool { fakes.contains(where: \.isRemote) }
}

extension SystemDescriptor {
  /// A rule that is true of every screen and not of this system's.
  public struct Exception: Hashable, Sendable {
    /// The name of the invariant that is left out.
    public var invariant: String
    /// The reason, one line.
    public var reason: String

    /// An exception.
    public init(_ invariant: String, _ reason: String) {
      (self.invariant, self.reason) = (invariant, reason)
    }
  }
}

extension SystemDescriptor {
  /// Something that must hold in every execution.
  public struct Invariant: Hashable, Sendable {
    /// The name for `"check"` and `"expect"`.
    public var name: String
    /// One line.
    public var summary: String
    /// The argument that it needs, as in `{ "settles-within": "8s" }`; nil if it takes none.
    public var parameter: ParameterKind?
    /// The argument in a generated story; nil if such stories are not judged by it, or if it takes none.
    public var usual: ParameterValue?

    /// True if it is about the structure of the code. A generated story judges by it only the variants that are meant to hold: it would
    /// find nothing else in the others.
    package var isOfStructure = false

    /// True if it can be judged without a scenario that lists it.
    package var isForStories: Bool { parameter == nil || usual != nil }

    /// An invariant.
    public init(
      _ name: String, _ summary: String, parameter: ParameterKind? = nil, usual: ParameterValue? = nil
    ) {
      self.name = name
      self.summary = summary
      self.parameter = parameter
      self.usual = usual
    }
  }
}
