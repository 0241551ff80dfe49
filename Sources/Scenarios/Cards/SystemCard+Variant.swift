extension SystemCard {
  /// One way in which the system is built, such as `naive` or `hardened`.
  public struct Variant: Hashable, Sendable {
    /// What `"expect"` and `"replays"` name.
    public var name: String
    /// One line.
    public var summary: String

    /// A variant.
    public init(_ name: String, _ summary: String) {
      self.name = name
      self.summary = summary
    }
  }
}
