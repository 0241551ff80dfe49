/// Turns a text into a checked scenario file, or into all its errors.
///
/// Each method reads one part of the format and reports what is wrong with it. After an error it goes on with
/// a harmless value, which is never used: a file with an error is not returned.
struct Checker {
  let vocabulary: Vocabulary
  let source: SourceText
  var collector: DiagnosticCollector
  /// Whether a scenario need not say yet what is expected of its variants.
  var mayLackExpectations = false
  /// The former words that have been read so far.
  private var formerWords: [FormerWord] = []
  /// When every execution of the scenario ends that is read.
  var until = Search().until

  /// Checks a whole file.
  static func check(
    _ source: SourceText, in vocabulary: Vocabulary, mayLackExpectations: Bool = false
  ) throws(Diagnostics) -> ScenarioFile {
    var checker = Checker(
      vocabulary: vocabulary, source: source, collector: DiagnosticCollector(for: source),
      mayLackExpectations: mayLackExpectations)
    let file = checker.file()
    guard checker.collector.isEmpty else { throw checker.collector.diagnostics }
    return file
  }

  private mutating func file() -> ScenarioFile {
    let fields = topLevelFields()
    let includes = fields.map { self.includes($0["include"]) } ?? []
    var names = UniqueNames(.scenario)
    let scenarios = list(
      fields?["scenarios"], "\"scenarios\"", instead: includes.isEmpty ? nil : "leave it out"
    ).compactMap { scenario($0, names: &names) }
    return ScenarioFile(
      name: source.name, includes: includes, scenarios: scenarios, bytes: source.bytes,
      formerWords: formerWords.sorted { $0.position < $1.position })
  }

  private mutating func topLevelFields() -> Fields? {
    let document = JSONReader.read(source.bytes)
    for located in document.faults { collector.report(.json(located.fault), at: located.offset) }
    guard let root = document.root else { return nil }
    let owner = "a scenario file"
    let optional = ["include", "$schema"]
    // A file that includes others may have no scenarios of its own.
    let includesOthers = members(of: root)?["include"] != nil
    let fields = fields(
      of: root, owner, required: includesOthers ? ["version"] : ["version", "scenarios"],
      optional: includesOthers ? ["scenarios"] + optional : optional)
    guard let fields else { return nil }
    if let schema = fields["$schema"] { _ = string(schema, allowed: "where the schema is, in quotes") }
    if let version = fields["version"] {
      _ = integer(version, in: ScenarioFile.version...ScenarioFile.version)
    }
    return fields
  }

  private mutating func includes(_ node: JSONNode?) -> [ScenarioFile.Include] {
    list(node, "\"include\"").compactMap { node in
      guard let path = string(node, allowed: "the path of another scenario file, in quotes") else {
        return nil
      }
      if let fault = Self.fault(inPath: path) { report(.include(fault), at: node) }
      return ScenarioFile.Include(path: path, position: position(of: node))
    }
  }

  private static func fault(inPath path: String) -> IncludeFault? {
    let all = path.split(separator: "/", omittingEmptySubsequences: false)
    let parts = all.filter { $0 != "." }
    let staysInside = parts.allSatisfy { !$0.isEmpty && $0 != ".." } && !path.contains("\0")
    if parts.isEmpty || !staysInside { return .leavesFolder(path) }
    return parts.count < all.count ? .dotted(path, plain: parts.joined(separator: "/")) : nil
  }
}

// MARK: - Reporting

extension Checker {
  mutating func report(_ fault: ScenarioFault, at node: JSONNode) {
    report(fault, at: node.range)
  }

  mutating func report(_ fault: ScenarioFault, at range: Range<Int>) {
    collector.report(.scenario(fault), at: range.lowerBound)
  }

  mutating func report(_ fault: ValueFault, at node: JSONNode) {
    collector.report(.value(fault), at: node.range.lowerBound)
  }

  func position(of node: JSONNode) -> SourcePosition {
    source.position(at: node.range.lowerBound)
  }

  /// Notes a word that has been replaced by another. It is no error.
  mutating func note(_ word: String, now current: String, at range: Range<Int>) {
    formerWords.append(
      FormerWord(position: source.position(at: range.lowerBound), word: word, current: current))
  }

  /// Reports a name that stands twice.
  mutating func claim(_ name: String, in names: inout UniqueNames, at range: Range<Int>) {
    guard let first = names.claim(name, at: range.lowerBound) else { return }
    report(.repeated(names.kind, name, first: source.position(at: first)), at: range)
  }
}
