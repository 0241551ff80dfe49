import Simulator

/// An error in a JSON text that should be a scenario file.
///
/// Strings in it come from the file as they are; `description` makes them fit to be shown.
package enum ScenarioFault: Error, Equatable, Sendable {
  case wrongType(found: String, allowed: String)
  case missingKey(String, owner: String)
  case unknownKey(String, owner: String, allowed: [String])
  case unknownName(NameKind, String, allowed: [String])
  case outOfRange(found: String, low: String, high: String)
  /// `instead`: what may be there in place of an entry.
  case emptyList(owner: String, instead: String?)
  case onlyFixed(allowed: String)
  case nestedAlternatives(allowed: String)
  case repeated(NameKind, String, first: SourcePosition)
  case repeatedValue(String)
  case badName(NameKind, String)
  case doAndCancel
  case neitherDoNorCancel
  /// The line would begin, or might, when the execution is over.
  case afterEnd(found: String, until: String)
  case undefinedLabel(String, allowed: [String])
  case missingExpectation(variant: String)
  case notChecked(String)
  /// The word says something of the invariants under `check`, and there is none.
  case nothingChecked(String)
  case alwaysChecked(String)
  case needsParameter(String, allowed: String)
  case takesNoParameter(String)
  case badToken(String, flaw: String)
  case offline(OfflineFault)
  case include(IncludeFault)
}

extension ScenarioFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongType(let found, let allowed): "found \(found); allowed: \(allowed)"
    case .missingKey(let key, let owner): Self.missing(key, in: owner)
    case .unknownKey(let found, let owner, let allowed):
      "unknown key \(Echo.quoted(found)) in \(owner)\(Self.cure(found, allowed))"
    case .unknownName(let kind, let found, let allowed): Self.unknownName(kind, found, allowed)
    case .outOfRange(let found, let low, let high):
      "found \(found); allowed: \(low == high ? low : "from \(low) to \(high)")"
    case .emptyList(let owner, let instead):
      "\(owner) is empty; give it at least one entry" + (instead.map { ", or \($0)" } ?? "")
    case .onlyFixed(let allowed): "found a list; one fixed value is needed here: \(allowed)"
    case .nestedAlternatives(let allowed):
      "alternatives hold fixed values only, no ranges and no lists; each is \(allowed)"
    case .repeated(let kind, let name, let first):
      "the \(kind.rawValue) \(Echo.quoted(name)) stands already at \(first); rename or remove one"
    case .repeatedValue(let found): "\(found) stands twice in this list; remove one"
    case .badName(let kind, let found):
      "found \(Echo.quoted(found)); a \(kind.rawValue) is named with letters, digits, \"-\", \"_\" and \".\", "
        + "begins with a letter or digit, and has at most \(PlainName.longest) of them"
    case .doAndCancel: "a script line either does something or cancels something; split it into two lines"
    case .neitherDoNorCancel: "a script line has no \"do\" and no \"cancel\"; add one of them"
    case .afterEnd(let found, let until):
      "found \(found), and every execution ends at \(until) of virtual time; begin the line earlier, or raise \"until\" of \"search\""
    case .undefinedLabel(let label, let allowed):
      "no line of this script has the label \(Echo.quoted(label)) (\"as\")\(Self.cure(label, allowed))"
    case .missingExpectation(let variant):
      "\"expect\" does not mention the variant \(Echo.quoted(variant)); add \"holds\" or the invariants it violates"
    case .notChecked(let name): Self.notChecked(name)
    case .nothingChecked(let word): Self.nothingChecked(word)
    case .alwaysChecked(let name): "\(Echo.quoted(name)) is checked without being asked; remove it here"
    case .needsParameter(let name, let allowed):
      "\(Echo.quoted(name)) needs a value; write { \(Echo.quoted(name)): … } with \(allowed)"
    case .takesNoParameter(let name):
      "\(Echo.quoted(name)) takes no value; write it alone: \(Echo.quoted(name))"
    case .badToken(let token, let flaw): "\(Echo.quoted(token)) is no replay token: \(flaw.visible)"
    case .offline(let fault): "\(fault)"
    case .include(let fault): fault.description
    }
  }

  private static func unknownName(_ kind: NameKind, _ found: String, _ allowed: [String]) -> String {
    let what =
      kind == .tested
      ? "nothing in this scenario is named \(Echo.quoted(found)), so it cannot be \"untested\""
      : "unknown \(kind.rawValue) \(Echo.quoted(found))"
    return what + cure(found, allowed)
  }

  private static func notChecked(_ name: String) -> String {
    "\(Echo.quoted(name)) can only be expected where it is checked; add it to \"check\""
  }

  private static func nothingChecked(_ word: String) -> String {
    "\(Echo.quoted(word)) says that nothing under \"check\" is judged, and nothing is listed there; add what it fails to test"
  }

  private static func missing(_ key: String, in owner: String) -> String {
    let add = key == "expect" ? "add it, or let \"simrun expect --write\" do so" : "add it"
    return "\(owner) has no \(Echo.quoted(key)); \(add)"
  }

  private static func cure(_ found: String, _ allowed: [String]) -> String {
    guard !allowed.isEmpty else { return "; none is allowed here" }
    return NearestName.suggestion(for: found, in: allowed)
  }
}
