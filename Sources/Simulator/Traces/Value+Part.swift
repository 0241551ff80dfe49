extension Trace.Value {
  /// The part called `name` of a record; nil when there is none, or this is no record. O(parts).
  public subscript(name: String) -> Trace.Value? {
    guard case .record(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }
}
