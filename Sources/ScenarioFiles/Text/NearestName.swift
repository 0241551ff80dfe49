internal import Simulator

extension NearestName {
  /// The candidates, those first that hold a word of `name`; few stay in their order.
  static func sorted(_ candidates: [String], by name: String) -> [String] {
    let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0.count > 1 }
    guard candidates.count > 12, !parts.isEmpty else { return candidates }
    let (near, far) = candidates.reduce(into: ([String](), [String]())) { lists, candidate in
      let isNear = parts.contains { candidate.lowercased().contains($0) }
      if isNear { lists.0.append(candidate) } else { lists.1.append(candidate) }
    }
    return near + far
  }

  /// The suggestion behind the error about an unknown name, and what is allowed: all of few names, three of many,
  /// first those that hold a word of it. A catalog has more names than a screen has lines.
  package static func suggestion(for name: String, in allowed: [String]) -> String {
    let near = of(name, in: allowed).map { "; did you mean \(Echo.quoted($0))?" } ?? ";"
    return "\(near) allowed: \(Echo.list(sorted(allowed, by: name), limit: allowed.count > 12 ? 3 : 12))"
  }
}
