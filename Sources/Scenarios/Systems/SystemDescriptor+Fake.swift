extension SystemDescriptor {
  /// Something outside the system that a fake stands for.
  public struct Fake: Hashable, Sendable {
    /// Its key in `"world"`, such as `network`.
    public var name: String
    /// One line.
    public var summary: String
    /// What the system asks of it.
    public var operations: [Operation]

    /// A fake.
    public init(_ name: String, _ summary: String, operations: [Operation]) {
      self.name = name
      self.summary = summary
      self.operations = operations
    }
  }
}
