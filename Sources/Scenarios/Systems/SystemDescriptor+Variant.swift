public import Simulator

extension SystemDescriptor {
  /// One way in which the system is built, such as `naive` or `hardened`.
  public struct Variant: Hashable, Sendable {
    /// What `"expect"` and `"replays"` name.
    public var name: String
    /// One line.
    public var summary: String
    /// What race a violation may show, by the invariant's name; one that is not listed is unclassified.
    public var races: [String: Set<Diagnosis>]

    /// A variant.
    public init(_ name: String, _ summary: String, races: [String: Set<Diagnosis>] = [:]) {
      self.name = name
      self.summary = summary
      self.races = races
    }
  }
}
