extension ScenarioSchema {
  private static let length = "[0-9]+(\\.[0-9]+)?(\(Nanoseconds.Unit.names.joined(separator: "|")))"

  var duration: JSONTree {
    [
      "type": "string", "pattern": .string("^\(Self.length)$"),
      "description":
        "A fixed length of virtual time, at most 365 days: a number and one of \(Nanoseconds.Unit.names.joined(separator: ", ")).",
      "examples": ["5s", "50ms", "1.5s"],
    ]
  }

  private var range: JSONTree {
    [
      "type": "string", "pattern": .string("^\(Self.length)\\.\\.\\.\(Self.length)$"),
      "description": "A range, low end first.", "examples": ["100ms...2s"],
    ]
  }

  private var alternatives: JSONTree {
    [
      "type": "array", "minItems": 1, "uniqueItems": true, "items": ["$ref": "#/$defs/duration"],
      "description": "Alternatives, the natural one first.",
    ]
  }

  var time: JSONTree {
    ["anyOf": [["$ref": "#/$defs/duration"], range, alternatives]]
  }

  var offline: JSONTree {
    let time: JSONTree = ["$ref": "#/$defs/time"]
    return [
      "type": "array", "minItems": 1,
      "description":
        "When the device has no connection: one period after the other. What begins in one fails as offline; what is under way when one begins loses its connection, on the way there before the server has seen it, on the way back after.",
      "items": [
        "type": "object", "required": ["from", "for"], "additionalProperties": false,
        "properties": [
          "from": time.with(["description": "When it begins, counted from the beginning."]),
          "for": time.with(["description": "How long it lasts; \"0s\" is that it does not come."]),
        ],
      ],
    ]
  }

  var scriptTime: JSONTree {
    [
      "description":
        "When the line begins, counted from the beginning; \"0s\" unless said. \"anytime\": at every moment at which something can happen.",
      "anyOf": [["$ref": "#/$defs/time"], ["const": .string(ScriptTime.anytimeText)]],
    ]
  }

  var cancelTime: JSONTree {
    [
      "description":
        "When the cancel comes, as in any line; or \"everywhere\": at every suspension point of the task in turn.",
      "anyOf": [["$ref": "#/$defs/scriptTime"], ["const": .string(ScriptTime.everywhereText)]],
    ]
  }
}
