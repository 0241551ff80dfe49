extension Trace.Value {
  /// The part called `name` of a record; nil if there is none, or if this is not a record. O(parts).
  public subscript(name: String) -> Trace.Value? {
    guard case .record(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }
}
