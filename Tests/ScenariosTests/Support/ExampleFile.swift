@testable import ScenarioFiles

/// The example in the format's description, and what becomes of it when something in it is changed.
enum ExampleFile {
  static let text = """
    { "version": 1, "scenarios": [ {
      "name": "leaving-while-loading",
      "about": "The reader leaves early; the late reply touches the closed screen.",
      "system": "inbox-refresh",
      "with": { "staleAfter": "5m" },
      "world": {
        "network": { "GET /inbox": { "calls": [ { "delay": "5s", "reply": ["ok", "offline"] }, { "delay": "50ms" } ] } },
        "store":   { "write": { "delay": "100ms...1s", "fails": ["never", "before-commit", "after-commit"] } } },
      "script": [
        { "do": "refresh", "as": "first", "at": "0s" },
        { "do": "open", "letter": "42", "times": 2, "at": "50ms" },
        { "cancel": "first", "at": "1s...3s" },
        { "do": "dismiss", "at": "anytime" } ],
      "check": [ "nothing-after-dismissal", "no-orphaned-write", { "settles-within": "8s" } ],
      "search": { "strategy": "portfolio", "schedules": 1000, "seed": 0, "until": "60s", "exhaust": { "deviations": 2 } },
      "expect": { "naive": ["nothing-after-dismissal", "no-orphaned-write"], "hardened": "holds" },
      "replays": { "naive": ["debug/14:1/3,21:3/4#9f2c"] } } ] }
    """

  /// The file, checked.
  static func checked(_ text: String = text) throws -> ScenarioFile {
    try ScenarioFile(Array(text.utf8), named: "t.json", in: .test)
  }

  /// The example with one piece replaced.
  static func with(_ piece: String, as replacement: String) -> String {
    precondition(text.contains(piece), "the example has no \(piece)")
    return text.replacing(piece, with: replacement)
  }

  /// All errors of the example with one piece replaced, as they are shown.
  static func errors(with piece: String, as replacement: String) -> [String] {
    errors(in: Array(with(piece, as: replacement).utf8))
  }

  /// All errors of a text, as they are shown.
  static func errors(in bytes: [UInt8]) -> [String] {
    diagnostics(of: bytes)?.all.map(\.description) ?? []
  }

  static func diagnostics(of bytes: [UInt8]) -> Diagnostics? {
    do throws(Diagnostics) {
      _ = try ScenarioFile(bytes, named: "t.json", in: .test)
      return nil
    } catch {
      return error
    }
  }
}
