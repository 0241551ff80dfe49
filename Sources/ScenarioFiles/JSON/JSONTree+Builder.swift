extension JSONTree {
  /// An object in the making, member by member; what is nil is left out.
  ///
  /// One literal for many members of mixed kinds takes the compiler seconds.
  package struct Builder {
    private var members: [Member] = []

    package init() {}

    package mutating func add(_ key: String, _ value: (some JSONTreeConvertible)?) {
      if let value { members.append(Member(key: key, value: value.tree)) }
    }

    /// The object.
    package var tree: JSONTree { .object(members) }
  }
}

/// What can stand in JSON.
package protocol JSONTreeConvertible {
  var tree: JSONTree { get }
}

extension JSONTree: JSONTreeConvertible {
  package var tree: JSONTree { self }
}

extension Bool: JSONTreeConvertible {
  package var tree: JSONTree { .bool(self) }
}

extension Int: JSONTreeConvertible {
  package var tree: JSONTree { .integer(self) }
}

extension UInt64: JSONTreeConvertible {
  package var tree: JSONTree { .unsigned(self) }
}

extension String: JSONTreeConvertible {
  package var tree: JSONTree { .string(self) }
}

extension Array: JSONTreeConvertible where Element: JSONTreeConvertible {
  package var tree: JSONTree { .array(map(\.tree)) }
}
