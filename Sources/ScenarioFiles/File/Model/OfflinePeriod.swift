/// A time in which no request gets to a server and no answer back.
package struct OfflinePeriod: Codable, Equatable, Sendable {
  /// What `"world"` calls them all.
  package static let key = ScriptWord.offline

  /// The keys of one in a file.
  package enum Key: String, CaseIterable {
    case from
    case length = "for"
  }

  /// When it begins, from the beginning of the execution on.
  package let from: TimeOffer
  /// How long it lasts; none is that it does not come.
  package let length: TimeOffer

  /// When it is over at the latest.
  var end: Nanoseconds? {
    let (count, isTooLong) = from.longest.count.addingReportingOverflow(length.longest.count)
    return isTooLong || count > Nanoseconds.longest.count ? nil : Nanoseconds(count)
  }
}

extension TimeOffer {
  /// The shortest of what is offered.
  var shortest: Nanoseconds {
    switch self {
    case .fixed(let length): length
    case .range(let range): range.lowerBound
    case .alternatives(let lengths): lengths.min() ?? .zero
    }
  }

  /// The longest of what is offered.
  var longest: Nanoseconds {
    switch self {
    case .fixed(let length): length
    case .range(let range): range.upperBound
    case .alternatives(let lengths): lengths.max() ?? .zero
    }
  }
}
