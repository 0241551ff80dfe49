/// What a scenario offers where it may name one value or list several; never empty.
package struct Alternatives<Value: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
  /// In the order written.
  package let values: [Value]

  /// - Precondition: There is at least one value.
  init(_ values: [Value]) {
    precondition(!values.isEmpty, "an empty list offers nothing")
    self.values = values
  }

  /// The natural choice: the first.
  var natural: Value { values[0] }
}
