/// How long something takes, as a scenario offers it.
package enum TimeOffer: Hashable, Codable, Sendable {
  /// `"5s"`: always this long.
  case fixed(Nanoseconds)
  /// `"100ms...2s"`: its low end is the natural choice.
  case range(ClosedRange<Nanoseconds>)
  /// `["1s", "5s"]`: in the order written, the first is the natural choice; never empty.
  case alternatives([Nanoseconds])
}

extension TimeOffer {
  /// The longest that it can be.
  var latest: Nanoseconds {
    switch self {
    case .fixed(let time): time
    case .range(let times): times.upperBound
    case .alternatives(let times): times.max() ?? .zero
    }
  }

  /// Reads `"5s"` or `"100ms...2s"`.
  init(text: String) throws(ValueFault) {
    guard text != ScriptTime.anytimeText else { throw .anytimeNotAllowed }
    guard let ends = Self.ends(of: text) else {
      self = .fixed(try Nanoseconds(text: text))
      return
    }
    let low = try Nanoseconds(text: ends.low)
    let high = try Nanoseconds(text: ends.high)
    guard low <= high else { throw .lowAboveHigh(text) }
    self = .range(low...high)
  }

  /// The texts around the first `...`; nil when there is none.
  static func ends(of text: String) -> (low: String, high: String)? {
    let bytes = text.utf8
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index...].starts(with: "...".utf8) {
        return (String(text[..<index]), String(text[bytes.index(index, offsetBy: 3)...]))
      }
      index = bytes.index(after: index)
    }
    return nil
  }
}

/// When a script line begins.
package enum ScriptTime: Hashable, Codable, Sendable {
  /// At one of these times, counted from the beginning of the execution.
  case offered(TimeOffer)
  /// `"anytime"`: at any scheduling point, and just before any timer; naturally when all is at rest.
  case anytime

  /// `"everywhere"`, of a cancel: at every suspension point of the task in turn; naturally never.
  case everywhere

  static let everywhereText = "everywhere"
  package static let anytimeText = "anytime"
}
