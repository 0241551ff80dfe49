extension Trace {
  /// A value as a trace shows it: the content of a screen, a cache or a disk.
  public enum Value: Hashable, Sendable {
    case none
    case bool(Bool)
    case int(Int)
    case text(String)
    case list([Trace.Value])
    indirect case record([Field])

    /// A named part of a ``record(_:)``.
    public struct Field: Hashable, Sendable {
      /// The part's name.
      public let name: String
      /// The value of the part.
      public let value: Trace.Value

      /// Creates a part called `name` that holds `value`.
      public init(_ name: String, _ value: Trace.Value) {
        self.name = name
        self.value = value
      }
    }
  }
}

extension Trace.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: Trace.Value...) { self = .list(elements) }
  public init(nilLiteral: ()) { self = .none }
}

extension Trace.Value: CustomStringConvertible {
  public var description: String {
    switch self {
    case .none: "nothing"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .text(let value): value.isEmpty ? "\"\"" : value
    case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    case .record(let fields): fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    }
  }
}
