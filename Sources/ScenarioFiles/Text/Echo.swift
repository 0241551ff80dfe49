import Simulator

/// Makes text from outside fit to be shown: nothing in it can move a cursor, turn the writing direction, or
/// fill the screen.
package enum Echo {
  /// The text in double quotes, cut after `limit` characters.
  package static func quoted(_ text: String, limit: Int = 60) -> String {
    "\"" + plain(text, limit: limit, escaping: "\"") + "\""
  }

  /// The text without quotes, cut after `limit` characters.
  package static func plain(_ text: String, limit: Int = 240) -> String {
    plain(text, limit: limit, escaping: nil)
  }

  /// The names in quotes; beyond `limit` only their number.
  package static func list(_ names: [String], limit: Int = 60) -> String {
    let shown = names.prefix(limit).map { quoted($0) }.joined(separator: ", ")
    return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
  }

  /// `\u001B`, as JSON writes a code unit.
  static func jsonEscape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16, uppercase: true)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func plain(_ text: String, limit: Int, escaping quote: Unicode.Scalar?) -> String {
    var shown = ""
    for (count, scalar) in text.unicodeScalars.prefix(limit + 1).enumerated() {
      if count == limit { return shown + "…" }
      if scalar == "\\" || scalar == quote {
        shown.unicodeScalars.append(contentsOf: ["\\", scalar])
      } else if scalar.isVisible {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += scalar.escape
      }
    }
    return shown
  }
}
