/// What a scenario file may say about one system: every name in it, with a sentence for each.
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
  /// What `"system"` names.
  public var name: String
  /// One line.
  public var summary: String
  /// The ways in which the system is built, worst first.
  public var variants: [Variant]
  /// What the script can do.
  public var actions: [Action]
  /// What the system runs against.
  public var fakes: [Fake]
  /// What `"with"` may set; each has a default.
  public var settings: [Parameter]
  /// What `"check"` may name.
  public var invariants: [Invariant]

  /// A descriptor; ``CommandLineTool`` refuses to start with one that contradicts itself.
  public init(
    _ name: String, _ summary: String, variants: [Variant], actions: [Action], fakes: [Fake] = [],
    settings: [Parameter] = [], invariants: [Invariant] = []
  ) {
    self.name = name
    self.summary = summary
    self.variants = variants
    self.actions = actions
    self.fakes = fakes
    self.settings = settings
    self.invariants = invariants
  }
}
