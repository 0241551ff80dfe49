/// A small change of a function, which a test ought to notice.
public struct Mutant: Sendable {
  /// Its name in the build that holds them all, from 1.
  public var number = 0
  /// Relative to the root of the package.
  public let file: String
  /// The function, the initializer, or the property.
  public let function: String
  public let mutation: Operator
  /// What was there, and what stands there now, each in one line.
  public var text: String
  /// The line of the first edit in the original, from 1.
  public let line: Int
  /// The body that it changes, by its place in the file's list.
  let unit: Int
  let edits: [Edit]

  /// What it is known by, however many others come or go.
  public var key: Key { Key(file: file, function: function, mutation: mutation.rawValue, text: text) }

  public struct Key: Hashable, Codable, Sendable {
    public let file: String
    public let function: String
    public let mutation: String
    public let text: String

    enum CodingKeys: String, CodingKey {
      case file, function, mutation = "operator", text
    }
  }
}

/// What a mutant does to the code.
public enum Operator: String, CaseIterable, Sendable {
  case dropStatement = "drop-statement"
  case dropAwait = "drop-await"
  case dropDefer = "drop-defer"
  case swapStatements = "swap-statements"
  case moveAwait = "move-await"
  case negateCondition = "negate-condition"
  case neverBinds = "never-binds"
  case swallowError = "swallow-error"
  case inventError = "invent-error"
  case returnEarly = "return-early"
  case otherLiteral = "other-literal"
  case otherResult = "other-result"
  case otherComparison = "other-comparison"

  /// A line of the table's legend.
  public var meaning: String {
    switch self {
    case .dropStatement: "a statement or a declaration is left out"
    case .dropAwait: "the same, where it awaits"
    case .dropDefer: "a `defer` is left out"
    case .swapStatements: "two neighboring statements change places"
    case .moveAwait: "the same, where one of them awaits"
    case .negateCondition: "the condition of an `if`, `guard`, `while` or `? :` is negated"
    case .neverBinds: "a binding or a pattern in a condition never matches"
    case .swallowError: "`try` becomes `try?`"
    case .inventError: "a throwing function throws an error of its own, at once"
    case .returnEarly: "a function without a result returns before a statement"
    case .otherLiteral: "`true` becomes `false` and the reverse; an integer grows by one"
    case .otherResult: "what is returned is negated, or becomes `nil` or empty"
    case .otherComparison: "`==` and `!=`, `<` and `<=`, `>` and `>=` change places"
    }
  }
}

/// Text that takes the place of a range of UTF-8.
struct Edit: Sendable {
  let range: Range<Int>
  let text: String
}

extension String {
  /// The text with `edits`, which do not overlap; their ranges count from `start`.
  func applying(_ edits: [Edit], from start: Int) -> String {
    var bytes = Array(utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(
        edit.range.lowerBound - start..<edit.range.upperBound - start, with: Array(edit.text.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// On one line, without what only sets it out.
  var folded: String {
    split(separator: "\n").map { line in
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      return code.split(separator: " ").joined(separator: " ")
    }.filter { !$0.isEmpty }.joined(separator: " ⏎ ")
  }
}
