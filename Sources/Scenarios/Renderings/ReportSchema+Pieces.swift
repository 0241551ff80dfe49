import ScenarioFiles

extension ReportSchema {
  static func object(
    _ description: String, required: [(String, JSONTree)], optional: [(String, JSONTree)] = []
  ) -> JSONTree {
    [
      "description": .string(description), "type": "object", "additionalProperties": false,
      "required": .strings(required.map(\.0)),
      "properties": .object((required + optional).map { JSONTree.Member(key: $0.0, value: $0.1) }),
    ]
  }

  static var stories: JSONTree {
    object(
      "One kind of what a user may do, and a world answer.",
      required: [
        ("kind", ["enum": .strings(StoryCoverage.Kind.allCases.map(\.rawValue))]),
        ("tried", texts("What was tried, sorted.")), ("never", texts("What was never tried, sorted.")),
      ])
  }

  static func text(_ description: String) -> JSONTree { described(["type": "string"], description) }

  static func truth(_ description: String) -> JSONTree {
    described(["type": "boolean"], description)
  }

  static func count(_ description: String) -> JSONTree {
    described(["type": "integer", "minimum": 0], description)
  }

  static func texts(_ description: String) -> JSONTree {
    described(["type": "array", "items": ["type": "string"]], description)
  }

  static func list(of items: JSONTree, _ description: String) -> JSONTree {
    described(["type": "array", "items": items], description)
  }

  static func reference(_ name: String) -> JSONTree { ["$ref": .string("#/$defs/\(name)")] }

  static func described(_ schema: JSONTree, _ description: String) -> JSONTree {
    schema.with(["description": .string(description)])
  }
}
