/// The schema of an argument, a setting or an invariant's value.
enum ParameterSchema {
  static func tree(of kind: ParameterKind) -> JSONTree {
    switch kind {
    case .string: ["type": "string"]
    case .integer(let bounds):
      ["type": "integer", "minimum": .integer(bounds.lowerBound), "maximum": .integer(bounds.upperBound)]
    case .duration: ["$ref": "#/$defs/duration"]
    case .bool: ["type": "boolean"]
    }
  }

  static func tree(of parameter: SystemDescriptor.Parameter) -> JSONTree {
    let schema = tree(of: parameter.kind).with(["description": .string(parameter.summary)])
    return parameter.defaultValue.map { schema.with(["default": $0.tree]) } ?? schema
  }

  /// The properties of several parameters.
  static func properties(_ parameters: [SystemDescriptor.Parameter]) -> [JSONTree.Member] {
    parameters.map { JSONTree.Member(key: $0.name, value: tree(of: $0)) }
  }
}

extension ParameterValue: JSONTreeConvertible {
  /// As a file writes it.
  package var tree: JSONTree {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .duration(let length): .string(length.description)
    case .bool(let truth): .bool(truth)
    }
  }
}
