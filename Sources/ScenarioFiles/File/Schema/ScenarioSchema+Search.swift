import Simulator

extension ScenarioSchema {
  /// The key `search`, with its defaults.
  var search: JSONTree {
    let usual = Search()
    return [
      "type": "object", "additionalProperties": false, "description": "How schedules are tried.",
      "properties": [
        "strategy": [
          "description": "Who decides at each choice.", "default": .string(usual.strategy),
          "anyOf": .array(vocabulary.strategies.map { Self.name($0.name, $0.summary) }),
        ],
        "schedules": Self.integer(Search.scheduleLimits, "The budget.", default: usual.schedules),
        "seed": [
          "type": "integer", "minimum": 0, "maximum": .unsigned(.max), "default": .unsigned(usual.seed),
          "description": "What random choices are derived from.",
        ],
        "until": [
          "$ref": "#/$defs/duration", "default": .string(usual.until.description),
          "description":
            "The virtual time at which an execution ends if it has not ended by itself; more than none.",
        ],
        "steps": Self.steps(default: usual.steps.rawValue),
        "stepLimitPerInstant": Self.integer(
          Search.stepLimits, "How many steps may run without virtual time moving; one more is a livelock.",
          default: usual.stepLimitPerInstant),
        "stepsAtOneInstant": Self.former(
          "stepLimitPerInstant", Self.integer(Search.stepLimits, "", default: usual.stepLimitPerInstant)),
        "timerJitter": [
          "$ref": "#/$defs/duration", "default": .string(usual.timerJitter.description),
          "description":
            "How much later than its deadline a sleep may end: every order of two ends that lie closer is tried.",
        ],
        "poolThreads": Self.integer(
          Search.threadLimits,
          "How many threads the global executor has for each priority, which blocked tasks keep. By default as many as the machine has cores."
        ),
        "exhaust": Self.exhaust,
      ],
    ]
  }

  private static var exhaust: JSONTree {
    [
      "type": "object", "required": ["deviations"], "additionalProperties": false,
      "description":
        "Try all schedules that depart from the natural order so many times; with actions or answers, all stories.",
      "properties": [
        "deviations": Self.integer(Search.storyLimits, "How many times; 0 only in stories."),
        "actions": Self.integer(
          Search.storyLimits, "How many actions of \"do\": \"anything\" a story has at most."),
        "answers": Self.integer(
          Search.storyLimits, "How many answers of the world are other than the natural one at most."),
      ],
    ]
  }

  private static func steps(default usual: String) -> JSONTree {
    [
      "description": "What can come between two statements of a step.", "default": .string(usual),
      "anyOf": .array([
        name("atomic", "Nothing: a step runs to its end before the next begins."),
        name(
          "preemptible", "Other steps, where it makes something runnable, releases a lock or waits for one."),
        name("as-needed", "Nothing, until an execution shows that two tasks share a lock."),
        former("atomic", ["const": "whole"]), former("preemptible", ["const": "overlapping"]),
      ]),
    ]
  }

  /// The property, and a property for each former name of its key.
  static func withFormerKeys(_ property: JSONTree.Member) -> [JSONTree.Member] {
    let former = FormerWord.keys.filter { $0.value == property.key }.keys.sorted()
    return [property] + former.map { .init(key: $0, value: Self.former(property.key, property.value)) }
  }

  /// The schema of a word that is now called `current`.
  private static func former(_ current: String, _ schema: JSONTree) -> JSONTree {
    let rules = JSONTree.object(schema.members.filter { $0.key != "description" })
    return rules.with(["deprecated": true, "description": .string("Now called \"\(current)\".")])
  }

  static func integer(_ bounds: ClosedRange<Int>, _ summary: String, default value: Int? = nil) -> JSONTree {
    let schema: JSONTree = [
      "type": "integer", "minimum": .integer(bounds.lowerBound), "maximum": .integer(bounds.upperBound),
      "description": .string(summary),
    ]
    return value.map { schema.with(["default": .integer($0)]) } ?? schema
  }

  /// One name and what it means.
  static func name(_ name: String, _ summary: String) -> JSONTree {
    ["const": .string(name), "description": .string(summary)]
  }
}
