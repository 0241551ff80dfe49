/// The words of a command line, from left to right.
public struct Arguments {
  private var rest: ArraySlice<String>

  /// The words after the program's name.
  public init(_ words: some Sequence<String>) { rest = Array(words)[...] }

  /// The next word; nil at the end.
  public mutating func next() -> String? { rest.popFirst() }

  /// The word that follows `option`.
  public mutating func value(of option: String) throws(OptionError) -> String {
    guard let word = rest.popFirst() else { throw .noValue(option) }
    return word
  }

  /// The whole number that follows `option`, from `least` up.
  public mutating func count(of option: String, from least: Int = 0) throws(OptionError) -> Int {
    let word = try value(of: option)
    guard let count = Int(word), count >= least else { throw .notACount(option, word, least) }
    return count
  }
}

/// What is wrong with a command line.
public enum OptionError: Error, CustomStringConvertible {
  case unknown(String)
  case noValue(String)
  case notACount(String, String, Int)
  case other(String)

  public var description: String {
    switch self {
    case .unknown(let option): "unknown option \(option); see --help"
    case .noValue(let option): "\(option) needs a value; see --help"
    case .notACount(let option, let word, let least):
      "\(option) needs a whole number from \(least) up, not \(word); see --help"
    case .other(let text): text
    }
  }
}
