/// The values of an action's arguments or of a system's settings, in the order of the descriptor, defaults
/// filled in.
public struct NamedValues: Hashable, Codable, Sendable {
  /// One name and its value.
  public struct Entry: Hashable, Codable, Sendable {
    /// The parameter's name in the descriptor.
    public let name: String
    /// The value that the scenario gives, or else the descriptor's default.
    public let value: ParameterValue

    package init(name: String, value: ParameterValue) {
      (self.name, self.value) = (name, value)
    }
  }

  /// All of them.
  public let entries: [Entry]

  package init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// The value of the parameter `name`; nil when the descriptor has none of that name.
  public subscript(name: String) -> ParameterValue? {
    entries.first { $0.name == name }?.value
  }

  /// The text of the parameter `name`; nil when the descriptor has no such text.
  public func string(_ name: String) -> String? {
    guard case .string(let text)? = self[name] else { return nil }
    return text
  }

  /// The number of the parameter `name`; nil when the descriptor has no such number.
  public func integer(_ name: String) -> Int? {
    guard case .integer(let number)? = self[name] else { return nil }
    return number
  }

  /// The duration of the parameter `name`; nil when the descriptor has no such duration.
  public func duration(_ name: String) -> Nanoseconds? {
    guard case .duration(let length)? = self[name] else { return nil }
    return length
  }

  /// The truth of the parameter `name`; nil when the descriptor has no such parameter.
  public func bool(_ name: String) -> Bool? {
    guard case .bool(let truth)? = self[name] else { return nil }
    return truth
  }
}
