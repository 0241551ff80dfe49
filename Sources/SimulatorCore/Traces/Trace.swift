/// The events of one execution, in order.
public struct Trace: Sendable {
  /// The unit that serializes a step: one actor instance, the main actor, or none.
  public struct Domain: Hashable, Sendable, CustomStringConvertible {
    /// The actor's type, such as `Account` or `MainActor`; `pool` for the concurrent pool.
    public let type: String
    /// The number of the instance among those of its type, from 1, by first appearance; 0 if there is only one.
    public let ordinal: Int
    /// The kind of the domain.
    public let kind: Kind

    package init(type: String, ordinal: Int, kind: Kind) {
      (self.type, self.ordinal, self.kind) = (type, ordinal, kind)
    }

    /// The kinds of domains. Others will follow: a `switch` over them needs a `default`.
    public enum Kind: String, Hashable, Codable, CaseIterable, Sendable {
      /// The concurrent pool, which serializes nothing.
      case pool
      /// The main actor.
      case mainActor
      /// An actor of the program.
      case actor
      /// An actor that stands for the outside world: its type is a ``SimulatedFake``.
      case fake
      /// A serial executor of the program.
      case executor
      /// A serial queue of Dispatch, with its label.
      case queue
      /// A thread that the program has made.
      case thread
    }

    /// True if its steps run one after another.
    package var isSerial: Bool { kind != .pool }

    /// True if it serializes code of the program, and not of a fake.
    package var serializesProgram: Bool { isSerial && kind != .fake }

    public var description: String { ordinal <= 1 ? type : "\(type)#\(ordinal)" }
  }

  /// A task, identified by the task that made it.
  public struct Task: Hashable, Sendable {
    /// The index of the task that made this one; nil for the root and for what is made between steps.
    public let parent: Int?
    /// The number of the task among its parent's children, from 1.
    public let ordinal: Int
    /// The name that `Task(name:)` or the script gave it.
    public let name: String?

    package init(parent: Int?, ordinal: Int, name: String?) {
      (self.parent, self.ordinal, self.name) = (parent, ordinal, name)
    }
  }

  /// The events, in the order in which they happened. If there are more than 200,000, those in the middle are left out,
  /// and a note says how many.
  public let events: [Trace.Event]
  /// The domains that ran a step, in the order of their first steps.
  public let domains: [Domain]
  /// The tasks, in the order in which they were made.
  public let tasks: [Task]
  /// A hash of everything that happened, the same in every process of the same build.
  public let digest: UInt64

  /// For each step, the addresses at which its task and its callers go on.
  let stacks: [[UInt]]
  /// For each step, the step in which it became runnable; 0 if time or an action from outside made it so.
  package let causes: [Int]
  /// The decisions about values that were not natural, by position.
  package let decisions: [Int: Decision]

  /// The value that was decided on, and the natural one.
  package struct Decision: Hashable, Sendable {
    package let taken: String
    package let natural: String
    /// The timer that the decision is about, if any.
    package var timer: Timer?

    package init(taken: String, natural: String, timer: Timer? = nil) {
      (self.taken, self.natural, self.timer) = (taken, natural, timer)
    }

    /// The subject that waits for a timer, and the step in which it began to wait.
    package struct Timer: Hashable, Sendable {
      package let subject: String
      package let step: Int

      package init(subject: String, step: Int) {
        (self.subject, self.step) = (subject, step)
      }
    }
  }

  package init(
    events: [Trace.Event] = [], domains: [Domain] = [], tasks: [Task] = [], digest: UInt64 = Digest.seed,
    stacks: [[UInt]] = [], causes: [Int] = [], decisions: [Int: Decision] = [:]
  ) {
    self.events = events
    self.domains = domains
    self.tasks = tasks
    self.digest = digest
    self.stacks = stacks
    self.causes = causes
    self.decisions = decisions
  }

  /// The half of the digest that a token shows.
  public var shortDigest: UInt32 { UInt32(truncatingIfNeeded: digest ^ (digest >> 32)) }

  /// Returns a task's path: the child numbers from the root down, `1.2` for the second child of the root's first; or
  /// its name if it has one. The middle of a long path is left out. O(depth).
  public func path(ofTask index: Int) -> String { Self.path(ofTask: index) { tasks[$0] } }

  package static func path(ofTask index: Int, _ task: (Int) -> Task) -> String {
    if index == 0 { return task(0).name ?? "root" }
    var parts: [String] = []
    var next: Int? = index
    while let current = next, current != 0 {
      let known = task(current)
      next = known.name == nil ? known.parent : nil
      let isMadeBetweenSteps = known.name == nil && known.parent == nil
      parts.append(known.name ?? (isMadeBetweenSteps ? "task \(known.ordinal)" : "\(known.ordinal)"))
    }
    parts.reverse()
    if parts.count > longestPath {
      let middle = longestPath / 2..<parts.count - longestPath / 2
      parts.replaceSubrange(middle, with: ["(\(middle.count) more)"])
    }
    return parts.joined(separator: ".")
  }

  /// The number of child numbers that are shown.
  private static let longestPath = 20

  /// Returns the places in the source at which the task of step `step` goes on, innermost first: user code only, and
  /// only if the trace kept its events. Takes some hundred milliseconds for the first call in a process, then little.
  public func places(ofStep step: Int) -> [Trace.CodePlace] {
    guard stacks.indices.contains(step - 1) else { return [] }
    return Symbols.places(ofStack: stacks[step - 1])
  }
}
