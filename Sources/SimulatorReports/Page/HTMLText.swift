internal import Simulator

/// Makes foreign text safe in HTML. No part of it is markup, whether it is between tags, in an attribute or in a
/// script's data.
enum HTMLText {
  /// Escapes text for use between tags, and in an attribute within double quotes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    var last: Unicode.Scalar = " "
    for scalar in text.visible.unicodeScalars {
      defer { last = scalar }
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // A page may be printed in the log of a GitHub Actions runner, which reads `##[` as a command.
      case "[" where last == "#": escaped += "&#91;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns a JSON string that is safe in a script element: no `<`, no `&`, no `#`, nothing that ends a line.
  static func json(_ text: String) -> String {
    var json = "\""
    for scalar in text.visible.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "<", ">", "&", "'", "#": json += "\\u00" + String(scalar.value, radix: 16)
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  /// Makes whole JSON safe in a script element. Outside strings, JSON has none of these characters.
  static func harmless(json: String) -> String {
    var harmless = ""
    for scalar in json.unicodeScalars {
      switch scalar {
      case "<", ">", "&", "'", "#": harmless += "\\u00" + String(scalar.value, radix: 16)
      default: harmless.unicodeScalars.append(scalar)
      }
    }
    return harmless
  }

  /// Returns a name that can be part of an address.
  static func slug(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(80).map { scalar -> Character in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        return isPlain || scalar == "-" || scalar == "." || scalar == "_" ? Character(scalar) : "-"
      })
  }
}
