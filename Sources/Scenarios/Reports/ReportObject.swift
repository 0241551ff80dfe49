import ScenarioFiles

/// A value with named parts. ``keys`` is all that is known of them: JSON, its schema and its reader follow from that list,
/// so a key cannot be in a report and not in the schema.
protocol ReportObject: ReportValue {
  static var about: String { get }
  static var keys: [ReportKey<Self>] { get }

  init()

  /// Completes a value that was read, and refuses one that no run can have.
  mutating func complete() throws(ReportFlaw)
}

/// A key of an object: its meaning, and the part that it names.
struct ReportKey<Owner>: Sendable {
  let name: String
  let schema: @Sendable () -> JSONTree
  let isRequired: Bool
  /// Returns the value of the key; nil if the key is absent.
  let write: @Sendable (Owner) -> JSONTree?
  let read: @Sendable (inout Owner, JSONTree) throws(ReportFlaw) -> Void
}

extension ReportObject {
  mutating func complete() throws(ReportFlaw) {}

  static func schema(_ about: String?) -> JSONTree {
    .schema(
      "object", about ?? Self.about,
      [
        "additionalProperties": false, "required": .strings(keys.filter(\.isRequired).map(\.name)),
        "properties": .object(keys.map { JSONTree.Member(key: $0.name, value: $0.schema()) }),
      ])
  }

  var json: JSONTree {
    .object(
      Self.keys.compactMap { key in key.write(self).map { JSONTree.Member(key: key.name, value: $0) } })
  }

  init(_ json: JSONTree) throws(ReportFlaw) {
    guard case .object(let members) = json else { throw ReportFlaw(.otherKind) }
    self.init()
    for key in Self.keys {
      if let member = members.first(where: { $0.key == key.name }) {
        do throws(ReportFlaw) { try key.read(&self, member.value) } catch { throw error.within(key.name) }
      } else if key.isRequired {
        throw ReportFlaw(.missing, at: key.name)
      }
    }
    try complete()
  }
}

// MARK: - Kinds of keys

extension ReportObject {
  typealias Part<Value> = any WritableKeyPath<Self, Value> & Sendable

  /// A key that every such object has.
  static func key<Value: ReportValue>(_ name: String, _ part: Part<Value>, _ about: String) -> ReportKey<Self>
  {
    key(name, part, about) { $0[keyPath: part] = $1 }
  }

  /// A key that every such object has, whose value `set` stores.
  static func key<Value: ReportValue>(
    _ name: String, _ part: any KeyPath<Self, Value> & Sendable, _ about: String,
    set: @escaping @Sendable (inout Self, Value) -> Void
  ) -> ReportKey<Self> {
    ReportKey(
      name: name, schema: { Value.schema(about) }, isRequired: true, write: { $0[keyPath: part].json },
      read: { (owner: inout Self, json: JSONTree) throws(ReportFlaw) in set(&owner, try Value(json)) })
  }

  /// A key that is absent if its value is nil.
  static func key<Value: ReportValue>(
    _ name: String, _ part: Part<Value?>, _ about: String
  ) -> ReportKey<Self> {
    ReportKey(
      name: name, schema: { Value.schema(about) }, isRequired: false,
      write: { $0[keyPath: part].map(\.json) },
      read: { (owner: inout Self, json: JSONTree) throws(ReportFlaw) in
        owner[keyPath: part] = try Value(json)
      })
  }

  /// A key that is absent if its value is `absent`.
  static func key<Value: ReportValue>(
    _ name: String, _ part: Part<Value>, unless absent: Value, _ about: String
  ) -> ReportKey<Self> {
    ReportKey(
      name: name, schema: { Value.schema(about) }, isRequired: false,
      write: { $0[keyPath: part] == absent ? nil : $0[keyPath: part].json },
      read: { (owner: inout Self, json: JSONTree) throws(ReportFlaw) in
        owner[keyPath: part] = try Value(json)
      })
  }

  /// A fact that follows from other parts. It is written for readers of the JSON; reading a whole report compares it.
  static func derived<Value: ReportValue>(
    _ name: String, _ fact: any KeyPath<Self, Value> & Sendable, _ about: String
  ) -> ReportKey<Self> {
    key(name, fact, about) { _, _ in }
  }

  /// A fact that follows from other parts, and is absent if it is nil.
  static func derived<Value: ReportValue>(
    _ name: String, _ fact: any KeyPath<Self, Value?> & Sendable, _ about: String
  ) -> ReportKey<Self> {
    ReportKey(
      name: name, schema: { Value.schema(about) }, isRequired: false,
      write: { $0[keyPath: fact].map(\.json) },
      read: { (_: inout Self, _: JSONTree) throws(ReportFlaw) in })
  }

  /// Returns a list of keys.
  static func list(@ReportKeys<Self> _ keys: () -> [ReportKey<Self>]) -> [ReportKey<Self>] { keys() }
}

/// Collects keys. Each is a statement of its own, because one literal for many of them takes the compiler seconds.
@resultBuilder
enum ReportKeys<Owner> {
  static func buildBlock(_ keys: ReportKey<Owner>...) -> [ReportKey<Owner>] { keys }
}
