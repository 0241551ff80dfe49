extension SystemDescriptor {
  /// An argument of an action, or a setting of the system.
  public struct Parameter: Hashable, Sendable {
    /// Its key in the file.
    public var name: String
    /// One line.
    public var summary: String
    /// What it takes.
    public var kind: ParameterKind
    /// What it is when the file does not say; nil when the file must say.
    public var defaultValue: ParameterValue?

    /// A parameter of any kind.
    public init(
      _ name: String, _ summary: String, _ kind: ParameterKind, default value: ParameterValue? = nil
    ) {
      self.name = name
      self.summary = summary
      self.kind = kind
      self.defaultValue = value
    }

    /// A text.
    public static func string(_ name: String, _ summary: String, default text: String? = nil) -> Parameter {
      Parameter(name, summary, .string, default: text.map { .string($0) })
    }

    /// A whole number.
    public static func integer(
      _ name: String, _ summary: String, in bounds: ClosedRange<Int> = Int.min...Int.max,
      default number: Int? = nil
    ) -> Parameter {
      Parameter(name, summary, .integer(bounds), default: number.map { .integer($0) })
    }

    /// A length of virtual time.
    public static func duration(
      _ name: String, _ summary: String, default length: Nanoseconds? = nil
    ) -> Parameter {
      Parameter(name, summary, .duration, default: length.map { .duration($0) })
    }

    /// Yes or no.
    public static func bool(_ name: String, _ summary: String, default truth: Bool? = nil) -> Parameter {
      Parameter(name, summary, .bool, default: truth.map { .bool($0) })
    }
  }
}
