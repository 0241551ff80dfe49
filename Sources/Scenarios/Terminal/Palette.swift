/// Colors for a terminal; none where there is no terminal, or where the user refuses them.
struct Palette: Equatable, Sendable {
  let isOn: Bool

  static let plain = Palette(isOn: false)

  func good(_ text: String) -> String { painted(text, "32") }
  func bad(_ text: String) -> String { painted(text, "31") }
  func known(_ text: String) -> String { painted(text, "33") }
  func faint(_ text: String) -> String { painted(text, "2") }

  /// Whether to color: only on a terminal that can, and never with `NO_COLOR` (no-color.org: set and not
  /// empty).
  static func suiting(isTerminal: Bool, environment: [String: String]) -> Palette {
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Palette(isOn: isTerminal && !isRefused && environment["TERM"] != "dumb")
  }

  private func painted(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
