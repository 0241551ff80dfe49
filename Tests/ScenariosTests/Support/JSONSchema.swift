import Foundation

@testable import ScenarioFiles

/// As much of JSON Schema as the schemas of this package use (draft 2020-12), and that of SARIF (draft 7). The keyword
/// "format" is let be, as both drafts allow. A keyword that it does not know
/// is an error, so that nothing is taken for checked that is not.
struct JSONSchema {
  struct Unknown: Error, CustomStringConvertible { let description: String }

  private let root: JSONNode

  init(_ text: String) throws {
    let document = JSONReader.read(Array(text.utf8))
    guard document.faults.isEmpty, let root = document.root else {
      throw Unknown(description: "the schema is no JSON: \(document.faults)")
    }
    self.root = root
  }

  /// What is wrong with a text, each with the path to it; nothing when it is valid.
  func faults(in text: String) throws -> [String] {
    let document = JSONReader.read(Array(text.utf8))
    guard document.faults.isEmpty, let value = document.root else { return ["no JSON: \(document.faults)"] }
    return try faults(value, root, "$")
  }

  private func faults(_ value: JSONNode, _ schema: JSONNode, _ path: String) throws -> [String] {
    guard case .object(let object) = schema.value else {
      throw Unknown(description: "no schema at \(path)")
    }
    let siblings = Dictionary(uniqueKeysWithValues: object.members.map { ($0.key.name, $0.value) })
    return try object.members.flatMap { member in
      try faults(value, keyword: member.key.name, member.value, siblings, path)
    }
  }

  private func faults(
    _ value: JSONNode, keyword: String, _ rule: JSONNode, _ siblings: [String: JSONNode], _ path: String
  ) throws -> [String] {
    switch keyword {
    case "$schema", "$defs", "title", "description", "examples", "default", "id", "definitions", "format",
      "deprecated":
      return []
    case "$ref": return try faults(value, resolved(rule.text), path)
    case "type":
      let allowed = rule.elements.isEmpty ? [rule.text] : rule.elements.map(\.text)
      return allowed.contains(where: value.isOf)
        ? [] : ["\(path): is no \(allowed.joined(separator: " or "))"]
    case "const": return value.value == rule.value ? [] : ["\(path): is not the constant"]
    case "enum": return rule.elements.contains { $0.value == value.value } ? [] : ["\(path): not in enum"]
    case "minimum":
      guard let low = rule.number else { throw Unknown(description: "minimum") }
      return value.number.map { $0 >= low } ?? true ? [] : ["\(path): below \(low)"]
    case "maximum":
      guard let high = rule.number else { throw Unknown(description: "maximum") }
      return value.number.map { $0 <= high } ?? true ? [] : ["\(path): above \(high)"]
    case "minItems":
      guard let fewest = rule.number else { throw Unknown(description: "minItems") }
      guard case .array(let array) = value.value else { return [] }
      return Double(array.elements.count) >= fewest ? [] : ["\(path): fewer than \(fewest) items"]
    case "uniqueItems":
      guard rule.value == .bool(true) else { return [] }
      let all = value.elements
      let isUnique = all.indices.allSatisfy { i in !all[..<i].contains { $0.isSame(as: all[i]) } }
      return isUnique ? [] : ["\(path): an item stands there twice"]
    case "pattern":
      guard case .string(let text) = value.value else { return [] }
      return try text.contains(Regex(rule.text)) ? [] : ["\(path): does not match \(rule.text)"]
    case "required":
      guard let members = value.members else { return [] }
      return rule.elements.map(\.text).filter { members[$0] == nil }.map { "\(path): lacks \($0)" }
    case "properties":
      guard let members = value.members, let rules = rule.members else { return [] }
      return try rules.sorted { $0.key < $1.key }.flatMap { name, rule in
        try members[name].map { try faults($0, rule, "\(path).\(name)") } ?? []
      }
    case "additionalProperties":
      let known = siblings["properties"]?.members ?? [:]
      let others = (value.members ?? [:]).filter { known[$0.key] == nil }.sorted { $0.key < $1.key }
      switch rule.value {
      case .bool(true): return []
      case .bool(false): return others.map { "\(path): \($0.key) is not allowed" }
      default: return try others.flatMap { try faults($0.value, rule, "\(path).\($0.key)") }
      }
    case "items":
      guard case .array(let array) = value.value else { return [] }
      return try array.elements.enumerated().flatMap { try faults($1, rule, "\(path)[\($0)]") }
    case "oneOf":
      let fitting = try rule.elements.filter { try faults(value, $0, path).isEmpty }.count
      return fitting == 1 ? [] : ["\(path): fits \(fitting) of oneOf"]
    case "allOf": return try rule.elements.flatMap { try faults(value, $0, path) }
    case "if":
      guard let then = siblings["then"], try faults(value, rule, path).isEmpty else { return [] }
      return try faults(value, then, path)
    case "then": return []
    case "anyOf":
      let fits = try rule.elements.contains { try faults(value, $0, path).isEmpty }
      return fits ? [] : ["\(path): fits none of anyOf"]
    default: throw Unknown(description: "the keyword \(keyword) at \(path)")
    }
  }

  private func resolved(_ reference: String) throws -> JSONNode {
    var node = root
    for part in reference.split(separator: "/").dropFirst() {
      let name = (String(part).removingPercentEncoding ?? "").replacing("~1", with: "/")
        .replacing("~0", with: "~")
      guard let next = node.members?[name] else {
        throw Unknown(description: "the reference \(reference)")
      }
      node = next
    }
    return node
  }
}

extension JSONNode {
  var members: [String: JSONNode]? {
    guard case .object(let object) = value else { return nil }
    return Dictionary(uniqueKeysWithValues: object.members.map { ($0.key.name, $0.value) })
  }

  var elements: [JSONNode] {
    if case .array(let array) = value { array.elements } else { [] }
  }

  var number: Double? {
    if case .number(let number) = value { Double(number.literal) } else { nil }
  }

  /// Whether it says the same, wherever it stands.
  func isSame(as other: JSONNode) -> Bool {
    switch (value, other.value) {
    case (.array(let a), .array(let b)):
      a.elements.count == b.elements.count && zip(a.elements, b.elements).allSatisfy { $0.isSame(as: $1) }
    case (.object, .object):
      members?.keys == other.members?.keys
        && (members ?? [:]).allSatisfy { name, node in
          other.members?[name].map { node.isSame(as: $0) } ?? false
        }
    default: value == other.value
    }
  }

  var text: String {
    if case .string(let text) = value { text } else { "" }
  }

  func isOf(type: String) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null),
      ("number", .number):
      true
    case ("integer", .number(let number)):
      number.whole(as: Int64.self) != nil || UInt64(number.literal) != nil
    default: false
    }
  }
}
