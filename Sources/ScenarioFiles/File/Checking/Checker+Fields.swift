internal import Simulator

/// The members of an object whose keys have been checked.
struct Fields {
  let node: JSONNode
  let members: [JSONMember]
  /// False when something could not be read and may be what is missing.
  let isWhole: Bool
  private var values: [String: JSONNode]

  init(_ object: JSONObject, at node: JSONNode) {
    self.node = node
    members = object.members
    isWhole = object.isWhole
    values = Dictionary(object.members.map { ($0.key.name, $0.value) }) { first, _ in first }
  }

  subscript(key: String) -> JSONNode? { values[key] }

  /// Lets `current` stand for the key `former`. Returns false if the object has both.
  fileprivate mutating func replace(_ former: String, by current: String) -> Bool {
    guard values[current] == nil else { return false }
    values[current] = values.removeValue(forKey: former)
    return true
  }
}

extension Checker {
  /// The members of an object, whatever their keys; nil when `node` is none.
  mutating func members(of node: JSONNode) -> Fields? {
    guard case .object(let object) = node.value else {
      wrongType(node, allowed: "an object, { … }")
      return nil
    }
    return Fields(object, at: node)
  }

  /// The members of an object with these keys; unknown ones and missing ones are reported. A former key counts as the key
  /// that replaced it, and is noted.
  mutating func fields(
    of node: JSONNode, _ owner: String, required: [String] = [], optional: [String] = []
  ) -> Fields? {
    guard var fields = members(of: node) else { return nil }
    let allowed = required + optional
    for member in fields.members where !allowed.contains(member.key.name) {
      let name = member.key.name
      if let current = FormerWord.keys[name], allowed.contains(current), fields.replace(name, by: current) {
        note(name, now: current, at: member.key.range)
      } else {
        report(.unknownKey(name, owner: owner, allowed: allowed), at: member.key.range)
      }
    }
    for key in missing(required, in: fields, allowed: allowed) {
      report(.missingKey(key, owner: owner), at: node)
    }
    return fields
  }

  /// Those of the names that an object lacks. One that is only misspelled is not missing too, and neither is
  /// one that may stand in what could not be read.
  func missing(_ names: [String], in fields: Fields, allowed: [String]) -> [String] {
    guard fields.isWhole else { return [] }
    let lacking = names.filter { fields[$0] == nil }
    guard !lacking.isEmpty else { return [] }
    let unknown = fields.members.map(\.key.name).filter { !allowed.contains($0) }
    let meant = unknown.prefix(20).compactMap { NearestName.of($0, in: allowed) }
    return lacking.filter { !meant.contains($0) }
  }
}
