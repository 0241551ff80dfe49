extension JSONTree {
  /// An object in the making, member by member; what is nil is left out.
  ///
  /// One literal for many members of mixed kinds takes the compiler seconds.
  struct Builder {
    private var members: [Member] = []

    mutating func add(_ key: String, _ value: (some JSONTreeConvertible)?) {
      if let value { members.append(Member(key: key, value: value.tree)) }
    }

    /// The object.
    var tree: JSONTree { .object(members) }
  }
}

/// What can stand in JSON.
protocol JSONTreeConvertible {
  var tree: JSONTree { get }
}

extension JSONTree: JSONTreeConvertible {
  var tree: JSONTree { self }
}

extension Bool: JSONTreeConvertible {
  var tree: JSONTree { .bool(self) }
}

extension Int: JSONTreeConvertible {
  var tree: JSONTree { .integer(self) }
}

extension UInt64: JSONTreeConvertible {
  var tree: JSONTree { .unsigned(self) }
}

extension String: JSONTreeConvertible {
  var tree: JSONTree { .string(self) }
}

extension Array: JSONTreeConvertible where Element: JSONTreeConvertible {
  var tree: JSONTree { .array(map(\.tree)) }
}
