/// A pattern as shells know them: `*` for any characters, `?` for one, `[a-z]` and `[!a-z]` for one of a set.
struct Glob: Equatable, Sendable {
  let pattern: String
  private let parts: [Part]

  private enum Part: Equatable, Sendable {
    case any
    case one
    case literal(Unicode.Scalar)
    case set([ClosedRange<Unicode.Scalar>], negated: Bool)
  }

  /// Nil when a bracket is not closed.
  init?(_ pattern: String) {
    self.pattern = pattern
    var parts: [Part] = []
    var rest = Array(pattern.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": parts.append(.any)
      case "?": parts.append(.one)
      case "[":
        guard let set = Self.set(&rest) else { return nil }
        parts.append(set)
      case "\\": parts.append(.literal(rest.popFirst() ?? scalar))
      default: parts.append(.literal(scalar))
      }
    }
    self.parts = parts
  }

  /// Takes time in proportion to the product of the lengths, whatever the pattern.
  func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    var part = 0
    var index = 0
    var retry: (part: Int, index: Int)?
    while index < name.count {
      if part < parts.count, parts[part] == .any {
        retry = (part, index)
        part += 1
      } else if part < parts.count, admits(parts[part], name[index]) {
        part += 1
        index += 1
      } else if let last = retry {
        retry = (last.part, last.index + 1)
        (part, index) = (last.part + 1, last.index + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }

  private func admits(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .any: false
    case .one: true
    case .literal(let expected): expected == scalar
    case .set(let ranges, let negated): ranges.contains { $0.contains(scalar) } != negated
    }
  }

  private static func set(_ rest: inout ArraySlice<Unicode.Scalar>) -> Part? {
    let negated = rest.first == "!" || rest.first == "^"
    if negated { rest.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let low = rest.popFirst() {
      if low == "]", !ranges.isEmpty { return .set(ranges, negated: negated) }
      let afterDash = rest.dropFirst()
      if rest.first == "-", let high = afterDash.first, high != "]" {
        rest = afterDash.dropFirst()
        ranges.append(min(low, high)...max(low, high))
      } else {
        ranges.append(low...low)
      }
    }
    return nil
  }
}
