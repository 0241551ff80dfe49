/// Gathers the errors of one file while it is checked.
struct DiagnosticCollector {
  /// So many errors are kept; nobody reads more, and a hostile file could have a million.
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
