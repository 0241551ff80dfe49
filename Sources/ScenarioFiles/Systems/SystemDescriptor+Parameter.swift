extension SystemDescriptor {
  /// An argument of an action, or a setting of the system.
  public struct Parameter: Hashable, Sendable {
    /// Its key in the file.
    public var name: String
    /// One line.
    public var summary: String
    /// The values that it takes.
    public var kind: ParameterKind
    /// The value if the file gives none; nil if the file must give one.
    public var defaultValue: ParameterValue?
    /// The values that a generated story may give, besides the default; empty for those of ``offered``.
    public var among: [ParameterValue]

    /// A parameter of any kind.
    public init(
      _ name: String, _ summary: String, _ kind: ParameterKind, default value: ParameterValue? = nil,
      among: [ParameterValue] = []
    ) {
      self.name = name
      self.summary = summary
      self.kind = kind
      self.defaultValue = value
      self.among = among
    }

    /// A text; a generated story takes one of `among`.
    public static func string(
      _ name: String, _ summary: String, default text: String? = nil, among: [String] = []
    ) -> Parameter {
      Parameter(
        name, summary, .string, default: text.map { .string($0) }, among: among.map { .string($0) })
    }

    /// A whole number; a generated story takes one of `among`.
    public static func integer(
      _ name: String, _ summary: String, in bounds: ClosedRange<Int> = Int.min...Int.max,
      default number: Int? = nil, among: [Int] = []
    ) -> Parameter {
      Parameter(
        name, summary, .integer(bounds), default: number.map { .integer($0) },
        among: among.map { .integer($0) })
    }

    /// A length of virtual time; a generated story takes one of `among`.
    public static func duration(
      _ name: String, _ summary: String, default length: Nanoseconds? = nil, among: [Nanoseconds] = []
    ) -> Parameter {
      Parameter(
        name, summary, .duration, default: length.map { .duration($0) },
        among: among.map { .duration($0) })
    }

    /// Yes or no.
    public static func bool(_ name: String, _ summary: String, default truth: Bool? = nil) -> Parameter {
      Parameter(name, summary, .bool, default: truth.map { .bool($0) })
    }
  }
}

extension SystemDescriptor.Parameter {
  /// The values that a generated story chooses from, the usual one first: the default and ``among``. If ``among`` is empty,
  /// they are the default and both truths; each of up to five numbers, otherwise the lowest and the highest; and, if there is
  /// no default either, two texts, or a second and a minute.
  public var offered: [ParameterValue] {
    var values = (defaultValue.map { [$0] } ?? []) + among
    if among.isEmpty {
      switch kind {
      case .bool: values += [.bool(false), .bool(true)]
      case .integer(let bounds): values += Self.some(of: bounds, beside: defaultValue)
      case .string where defaultValue == nil: values += [.string("one"), .string("two")]
      case .duration where defaultValue == nil: values += [.duration(.seconds(1)), .duration(.minutes(1))]
      case .string, .duration: break
      }
    }
    return values.reduce(into: []) { unique, value in if !unique.contains(value) { unique.append(value) } }
  }

  private static func some(of bounds: ClosedRange<Int>, beside value: ParameterValue?) -> [ParameterValue] {
    if bounds == Int.min...Int.max { return value == nil ? [.integer(1), .integer(2)] : [] }
    let (size, isTooMany) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
    return isTooMany || size >= 5
      ? [.integer(bounds.lowerBound), .integer(bounds.upperBound)] : bounds.map { .integer($0) }
  }
}
