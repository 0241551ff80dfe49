extension SystemDescriptor {
  /// Something that must hold in every execution.
  public struct Invariant: Hashable, Sendable {
    /// What `"check"` and `"expect"` name.
    public var name: String
    /// One line.
    public var summary: String
    /// What it must be given, as in `{ "settles-within": "8s" }`; nil when it is named alone.
    public var parameter: ParameterKind?

    /// An invariant.
    public init(_ name: String, _ summary: String, parameter: ParameterKind? = nil) {
      self.name = name
      self.summary = summary
      self.parameter = parameter
    }
  }
}
