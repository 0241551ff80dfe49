/// The JSON Schema (draft 2020-12) of a scenario file, with every name of a catalog in it.
///
/// It is written to be read: every key has a sentence, and every system a worked example.
package struct ScenarioSchema {
  package let vocabulary: Vocabulary

  package init(vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
  }

  /// The schema as text.
  package var text: String { tree.text + "\n" }

  var tree: JSONTree {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Scenarios",
      "description": .string(Self.guide),
      "type": "object",
      "required": ["version"],
      "anyOf": [["required": ["scenarios"]], ["required": ["include"]]],
      "additionalProperties": false,
      "properties": [
        "$schema": ["type": "string", "description": "Where this schema is, for editors."],
        "version": ["const": .integer(ScenarioFile.version)],
        "include": [
          "type": "array", "minItems": 1, "items": ["type": "string"],
          "description": "Other scenario files, in this file's folder or below it; theirs are run too.",
        ],
        "scenarios": ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/scenario"]],
      ],
      "examples": .array(vocabulary.systems.prefix(1).map { WorkedExample(of: $0).file }),
      "$defs": .object(definitions),
    ]
  }

  private static let guide = """
    A scenario plays one situation with every variant of one system, under many schedules, in virtual time. \
    "world" says how the fakes behave, "script" what is done and when, "check" what must hold, "expect" what each \
    variant violates. Times are text: "5s" is fixed, "100ms...2s" a range, ["1s", "5s"] alternatives; the search \
    tries them all, and takes the low end or the first on a calm day. Not said here because a schema cannot: scenario \
    names and labels are unique in their file and script, "cancel" names a label that exists, "expect" lists only what \
    is in "check" or checked without being asked.
    """

  private var definitions: [JSONTree.Member] {
    let shared: JSONTree = [
      "scenario": scenario,
      "duration": duration,
      "time": time,
      "offline": offline,
      "scriptTime": scriptTime,
      "cancelTime": cancelTime,
      "search": search,
    ]
    let own = vocabulary.systems.map { descriptor in
      JSONTree.Member(
        key: Self.definition(of: descriptor),
        value: SystemSchema(descriptor: descriptor, vocabulary: vocabulary).tree)
    }
    return shared.members + own
  }

  private static func definition(of descriptor: SystemDescriptor) -> String { "system: \(descriptor.name)" }

  /// The keys that every scenario has, then for each system what it adds.
  private var scenario: JSONTree {
    [
      "type": "object",
      "required": ["name", "about", "system", "script", "expect"],
      "additionalProperties": false,
      "properties": properties,
      "allOf": .array(vocabulary.systems.map(branch)),
    ]
  }

  private var properties: JSONTree {
    [
      "name": [
        "type": "string", "pattern": .string(PlainName.pattern), "description": "Unique in this file.",
      ],
      "about": ["type": "string", "description": "What a user of the app would see go wrong."],
      "system": [
        "description": "The system that is played.", "enum": .strings(vocabulary.systems.map(\.name)),
      ],
      "with": ["description": "Settings of the system; each has a default."],
      "world": [
        "description":
          "How each operation of each fake behaves; what is not mentioned answers at once. \"offline\": when there is no connection."
      ],
      "script": ["description": "What is done; lines begin in this order, each in a task of its own."],
      "check": ["description": "The invariants that are judged after every event."],
      "search": ["$ref": "#/$defs/search"],
      "expect": ["description": "For every variant: \"holds\", or exactly the invariants that it violates."],
      "untested": [
        "description":
          "For a variant that holds, what of the scenario it rightly never meets: an invariant, an operation as in \"network GET /inbox\", a reply or a fault as in \"store write: torn\", or a line of the script. \"--strict\" fails for all else."
      ],
      "replays": ["description": "For a variant, tokens of schedules that once violated something."],
    ]
  }

  private func branch(_ descriptor: SystemDescriptor) -> JSONTree {
    let path = Self.definition(of: descriptor).replacing("~", with: "~0").replacing("/", with: "~1")
    return [
      "if": ["required": ["system"], "properties": ["system": ["const": .string(descriptor.name)]]],
      "then": ["$ref": .string("#/$defs/" + Self.percentEncoded(path))],
    ]
  }

  /// A reference is a URI: what is not plain ASCII in it has to be escaped.
  private static func percentEncoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
      if byte.isLetter || byte.isDigit || "-._~:".utf8.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
