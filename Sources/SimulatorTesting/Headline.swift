internal import Testing

/// The text of an issue's first line. A comment would appear below a line that says only that an issue was recorded.
struct Headline: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Issue {
  /// Records a failure with `headline` as its first line, and `rest` below it.
  static func record(headline: String, _ rest: String? = nil, at place: SourceLocation) {
    Issue.record(Headline(headline), rest.map { Comment(rawValue: $0) }, sourceLocation: place)
  }
}
