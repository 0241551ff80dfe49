import ScenarioFiles
import Simulator

/// A value of a report. It is written as JSON, read back, and described by a JSON Schema.
protocol ReportValue: Equatable, Sendable {
  /// The schema of such a value. `about` says what the value means where it is.
  static func schema(_ about: String?) -> JSONTree
  var json: JSONTree { get }
  init(_ json: JSONTree) throws(ReportFlaw)
}

/// The reason why JSON is not a report, and the place in it.
struct ReportFlaw: Error, Equatable, CustomStringConvertible {
  enum Fault: String {
    case missing = "is missing"
    case otherKind = "is of another kind"
    case impossible = "says what no report says"
    case contradiction = "contradicts the rest"
  }

  let fault: Fault
  private(set) var path: [String]

  init(_ fault: Fault, at path: String...) { self.init(fault, at: path) }
  init(_ fault: Fault, at path: [String]) { (self.fault, self.path) = (fault, path) }

  /// Returns the flaw as seen from the value that has it at `key`.
  func within(_ key: String) -> ReportFlaw {
    var flaw = self
    flaw.path.insert(key, at: 0)
    return flaw
  }

  var description: String { "“\(path.joined(separator: "."))” \(fault.rawValue)" }
}

extension JSONTree {
  /// Returns a schema of the type `type`, followed by `about`.
  static func schema(_ type: String, _ about: String?, _ rest: JSONTree = [:]) -> JSONTree {
    var schema = Builder()
    schema.add("description", about)
    schema.add("type", type)
    return schema.tree.with(rest)
  }
}

// MARK: - Plain values

extension Bool: ReportValue {
  var json: JSONTree { .bool(self) }

  static func schema(_ about: String?) -> JSONTree { .schema("boolean", about) }

  init(_ json: JSONTree) throws(ReportFlaw) {
    guard case .bool(let value) = json else { throw ReportFlaw(.otherKind) }
    self = value
  }
}

extension String: ReportValue {
  var json: JSONTree { .string(self) }

  static func schema(_ about: String?) -> JSONTree { .schema("string", about) }

  init(_ json: JSONTree) throws(ReportFlaw) {
    guard case .string(let value) = json else { throw ReportFlaw(.otherKind) }
    self = value
  }
}

extension ReportValue where Self: FixedWidthInteger {
  static func schema(_ about: String?) -> JSONTree { .schema("integer", about, ["minimum": 0]) }
}

/// A number of things. It is small enough that the numbers of all shards can be added.
extension Int: ReportValue {
  var json: JSONTree { .integer(self) }

  init(_ json: JSONTree) throws(ReportFlaw) {
    guard case .integer(let value) = json else { throw ReportFlaw(.otherKind) }
    guard (0...1 << 40).contains(value) else { throw ReportFlaw(.impossible) }
    self = value
  }
}

/// A virtual time in nanoseconds.
extension Int64: ReportValue {
  var json: JSONTree { .integer(Int(self)) }

  init(_ json: JSONTree) throws(ReportFlaw) {
    guard case .integer(let value) = json else { throw ReportFlaw(.otherKind) }
    guard value >= 0 else { throw ReportFlaw(.impossible) }
    self = Int64(value)
  }
}

/// A seed.
extension UInt64: ReportValue {
  var json: JSONTree { Int(exactly: self).map(JSONTree.integer) ?? .unsigned(self) }

  init(_ json: JSONTree) throws(ReportFlaw) {
    switch json {
    case .integer(let value) where value >= 0: self = UInt64(value)
    case .unsigned(let value): self = value
    default: throw ReportFlaw(.otherKind)
    }
  }
}

extension Array: ReportValue where Element: ReportValue {
  var json: JSONTree { .array(map(\.json)) }

  static func schema(_ about: String?) -> JSONTree {
    .schema("array", about, ["items": Element.schema(nil)])
  }

  init(_ json: JSONTree) throws(ReportFlaw) {
    guard case .array(let elements) = json else { throw ReportFlaw(.otherKind) }
    self = []
    for (index, element) in elements.enumerated() {
      do throws(ReportFlaw) { append(try Element(element)) } catch { throw error.within("\(index)") }
    }
  }
}

/// Facts by their names, sorted.
extension [String: Bool]: ReportValue {
  static func schema(_ about: String?) -> JSONTree {
    .schema("object", about, ["additionalProperties": Bool.schema(nil)])
  }

  var json: JSONTree {
    .object(sorted { $0.key < $1.key }.map { JSONTree.Member(key: $0.key, value: .bool($0.value)) })
  }

  init(_ json: JSONTree) throws(ReportFlaw) {
    guard case .object(let members) = json else { throw ReportFlaw(.otherKind) }
    self = [:]
    for member in members { self[member.key] = try Bool(member.value) }
  }
}

/// One of a fixed set of words, which stay the same however reports are worded.
protocol ReportWord: ReportValue, RawRepresentable<String>, CaseIterable {}

extension ReportWord {
  static func schema(_ about: String?) -> JSONTree {
    .schema("string", about, ["enum": .strings(allCases.map(\.rawValue))])
  }

  var json: JSONTree { .string(rawValue) }

  init(_ json: JSONTree) throws(ReportFlaw) {
    guard let word = Self(rawValue: try String(json)) else { throw ReportFlaw(.impossible) }
    self = word
  }
}
