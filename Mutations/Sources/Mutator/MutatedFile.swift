import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A source file with all its mutants.
public struct MutatedFile: Sendable {
  public let path: String
  /// In the order of their places in the file.
  public var mutants: [Mutant]
  public let source: String
  private let units: [Unit]

  /// Parses `source` and finds every site of every operator.
  public init(_ source: String, at path: String) {
    self.path = path
    self.source = source
    let parsed = Parser.parse(source: source)
    let tree =
      OperatorTable.standardOperators.foldAll(parsed) { _ in }.as(SourceFileSyntax.self) ?? parsed
    let lines = SourceLocationConverter(fileName: path, tree: tree)
    let found = UnitFinder(in: tree).units
    units = found.map(\.unit)
    var mutants: [Mutant] = []
    for (place, (unit, node)) in found.enumerated() {
      for site in MutantFinder(in: node, of: unit, throwing: node.isBodyThatThrows).found {
        let start = site.edits.map(\.range.lowerBound).min() ?? unit.range.lowerBound
        mutants.append(
          Mutant(
            file: path, function: unit.function, mutation: site.mutation,
            text: "\(site.before) → \(site.after)",
            line: lines.location(for: AbsolutePosition(utf8Offset: start)).line, unit: place,
            edits: site.edits))
      }
    }
    self.mutants = Self.told(apart: mutants)
  }

  /// Sites of one function that read alike get an ordinal.
  private static func told(apart mutants: [Mutant]) -> [Mutant] {
    var seen: [Mutant.Key: Int] = [:]
    return mutants.map { mutant in
      var mutant = mutant
      let times = seen[mutant.key, default: 0] + 1
      seen[mutant.key] = times
      if times > 1 { mutant.text += " (site \(times))" }
      return mutant
    }
  }

  /// The source in which `Mutation.chosen` decides which version of each unit runs; and the lines, from 1, that belong to
  /// each mutant, by its number.
  public func text(with mutants: [Mutant]) -> (text: String, lines: [(Range<Int>, number: Int)]) {
    let byUnit = Dictionary(grouping: mutants, by: \.unit)
    let bytes = Array(source.utf8)
    var writer = Writer()
    var position = 0
    for (place, unit) in units.enumerated() {
      guard let mutants = byUnit[place] else { continue }
      let original = String(decoding: bytes[unit.range], as: UTF8.self)
      writer.write(String(decoding: bytes[position..<unit.range.lowerBound], as: UTF8.self))
      writer.write(unit, original, mutants)
      position = unit.range.upperBound
    }
    writer.write(String(decoding: bytes[position...], as: UTF8.self))
    return (writer.text, writer.lines)
  }
}

/// Text as it grows, and which lines of it belong to which mutant.
private struct Writer {
  private(set) var text = ""
  private(set) var lines: [(Range<Int>, number: Int)] = []
  private var line = 1

  mutating func write(_ more: String) {
    text += more
    line += more.utf8.count { $0 == UInt8(ascii: "\n") }
  }

  /// One unit in all its versions.
  mutating func write(_ unit: Unit, _ original: String, _ mutants: [Mutant]) {
    switch unit.kind {
    case .body(let owner, let isImplicit):
      write("\n    switch Mutation.chosen {")
      for mutant in mutants {
        let body = original.applying(mutant.edits, from: unit.range.lowerBound)
        let isReturned = isImplicit && !body.startsWithStatement
        write(
          "\n    case \(mutant.number):\n", body + "\n" + owner.end, isReturned: isReturned, of: mutant.number
        )
      }
      write("\n    default:\n", original, isReturned: isImplicit, of: nil)
      write("\n    }\n  ")
    case .value:
      for mutant in mutants {
        let value = original.applying(mutant.edits, from: unit.range.lowerBound)
        note("(Mutation.chosen == \(mutant.number) ? (\(value)) : ", of: mutant.number)
      }
      write(original + String(repeating: ")", count: mutants.count))
    }
  }

  mutating func write(_ head: String, _ body: String, isReturned: Bool, of mutant: Int?) {
    write(head)
    let start = line
    write("      _ = Mutation.chosen\n      \(isReturned ? "return " : "")\(body.trimmed)")
    if let mutant { lines.append((start..<line + 1, mutant)) }
  }

  mutating func note(_ more: String, of mutant: Int) {
    let start = line
    write(more)
    lines.append((start..<line + 1, mutant))
  }
}

extension String {
  fileprivate var trimmed: String {
    let rest = drop { $0.isWhitespace }
    return String(rest)
  }

  /// Whether a keyword stands first with which no expression begins.
  fileprivate var startsWithStatement: Bool {
    let first = trimmed
    return ["throw ", "return", "do {"].contains { first.hasPrefix($0) }
  }
}

extension Syntax {
  /// Whether it is the body of a function or an initializer that throws.
  fileprivate var isBodyThatThrows: Bool {
    var parent = parent
    while let known = parent {
      if let function = known.as(FunctionDeclSyntax.self) {
        return function.signature.effectSpecifiers?.throwsClause != nil
      }
      if let initializer = known.as(InitializerDeclSyntax.self) {
        return initializer.signature.effectSpecifiers?.throwsClause != nil
      }
      if known.is(MemberBlockSyntax.self) { return false }
      parent = known.parent
    }
    return false
  }
}
