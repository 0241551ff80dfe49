/// All errors of one file, in the order of their positions; never empty.
package struct Diagnostics: Error, Equatable, Sendable, CustomStringConvertible {
  package let all: [Diagnostic]
  /// Errors beyond ``DiagnosticCollector/limit``, which are counted only.
  let omitted: Int

  /// A line for each.
  package var description: String {
    var lines = all.map(\.description)
    if omitted > 0, let file = all.first?.file { lines.append("\(Echo.plain(file)): \(omitted) more errors") }
    return lines.joined(separator: "\n")
  }
}

/// One error in a scenario file, and where it is.
package struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
  package let file: String
  package let position: SourcePosition
  package let fault: FileFault

  /// `scenarios.json:3:7: error: …`, as compilers write it.
  package var description: String { "\(Echo.plain(file)):\(position): error: \(fault)" }
}

/// Gathers the errors of one file while it is checked.
struct DiagnosticCollector {
  /// The most errors that are kept: a hostile file could have a million.
  static let limit = 1000

  private let source: SourceText
  private var found: [(offset: Int, fault: FileFault)] = []
  private var count = 0

  init(for source: SourceText) {
    self.source = source
  }

  var isEmpty: Bool { count == 0 }

  mutating func report(_ fault: FileFault, at offset: Int) {
    count += 1
    if found.count < Self.limit { found.append((offset, fault)) }
  }

  /// All errors sorted by position; those at one place stay in the order in which they were found.
  var diagnostics: Diagnostics {
    let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    let all = sorted.map { entry in
      Diagnostic(
        file: source.name, position: source.position(at: entry.element.offset), fault: entry.element.fault)
    }
    return Diagnostics(all: all, omitted: count - found.count)
  }
}

/// Any error inside a scenario file.
package enum FileFault: Error, Equatable, Sendable, CustomStringConvertible {
  case json(JSONFault)
  case value(ValueFault)
  case scenario(ScenarioFault)

  package var description: String {
    switch self {
    case .json(let fault): fault.description
    case .value(let fault): fault.description
    case .scenario(let fault): fault.description
    }
  }
}
