extension SystemDescriptor {
  /// One thing that a user, or the world, does to the system.
  public struct Action: Hashable, Sendable {
    /// What `"do"` names.
    public var name: String
    /// One line.
    public var summary: String
    /// What the script line says beside `do`, `as`, `times` and `at`.
    public var arguments: [Parameter]

    /// An action.
    public init(_ name: String, _ summary: String, arguments: [Parameter] = []) {
      self.name = name
      self.summary = summary
      self.arguments = arguments
    }
  }
}
