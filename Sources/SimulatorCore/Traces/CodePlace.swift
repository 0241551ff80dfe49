extension Trace {
  /// A place in the user's source: a function, and the position in it.
  public struct CodePlace: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The function, demangled and short: `Account.withdraw(_:)`.
    public let function: String
    /// The last component of the file's path.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// True if the function belongs to a ``SimulatedFake``.
    package let isFake: Bool
    /// The path of the file when it was compiled.
    package let path: String

    public var description: String { "\(function) \(file):\(line)" }
  }
}
