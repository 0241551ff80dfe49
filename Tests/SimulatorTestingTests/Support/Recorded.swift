import Testing

/// An issue as the testing library prints it.
struct Recorded {
  /// `✘ Test f() recorded an issue at F.swift:1:2: Expectation failed: …`
  let headline: String
  /// The comments below it.
  let text: String

  /// All of it on one line, to be read wherever it is broken.
  var said: String { "\(headline) \(text)".split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// All issues of the test called `name` that `output` shows.
  static func all(of name: String, in output: String) -> [Recorded] {
    var found: [Recorded] = []
    var headline: Substring?
    var text: [Substring] = []
    func close() {
      if let headline { found.append(Recorded(headline: "\(headline)", text: text.joined(separator: "\n"))) }
      (headline, text) = (nil, [])
    }
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("↳") || line.hasPrefix("  ") {
        text.append(line.dropFirst(2))
      } else {
        close()
        if line.contains("Test \(name) recorded ") { headline = line }
      }
    }
    close()
    return found
  }

  /// The schedule to replay it under.
  var token: Substring? {
    text.firstMatch(of: #/replay: .simulated\(replaying: "(.+)"\)/#)?.1
  }
}
