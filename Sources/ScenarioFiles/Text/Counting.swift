extension Int {
  /// The number with its noun: `1 schedule`, `2 schedules`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension [String] {
  /// Each text once, in the order of its first appearance.
  package var unique: [String] {
    reduce(into: []) { unique, name in if !unique.contains(name) { unique.append(name) } }
  }
}
