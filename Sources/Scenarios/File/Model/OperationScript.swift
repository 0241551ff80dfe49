/// How one operation of a fake behaves, call after call.
struct OperationScript: Codable, Equatable, Sendable {
  /// What holds for every call that does not say otherwise.
  var everyCall = OperationSettings()
  /// What the first call, the second, … override; the last one's holds for all further calls.
  var calls: [OperationSettings] = []

  /// What the call number `index`, counted from zero, is like.
  func settings(forCall index: Int) -> OperationSettings {
    guard let last = calls.indices.last else { return everyCall }
    return calls[min(index, last)].filled(from: everyCall)
  }
}
