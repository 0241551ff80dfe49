/// What a scenario of one system may say, beyond what every scenario may.
struct SystemSchema {
  let descriptor: SystemDescriptor
  let vocabulary: Vocabulary

  var tree: JSONTree {
    [
      "description": .string(descriptor.summary),
      "properties": [
        "with": Self.orAnything(
          Self.object(ParameterSchema.properties(descriptor.settings)), "Each setting is chosen."),
        "world": Self.orAnything(
          Self.object(descriptor.fakes.map { .init(key: $0.name, value: fake($0)) } + offline),
          "Each fake answers whatever it may, and there may be no connection for ten seconds."),
        "script": [
          "type": "array", "minItems": 1,
          "items": ["oneOf": .array(descriptor.actions.map(line) + [cancelLine, anythingLine])],
        ],
        "check": ["type": "array", "uniqueItems": true, "items": ["oneOf": .array(checks)]],
        "expect": variants(outcome).with(["required": .strings(descriptor.variants.map(\.name))]),
        "untested": variants(["type": "array", "minItems": 1, "items": ["type": "string"]]),
        "replays": variants([
          "type": "array", "minItems": 1,
          "items": ["type": "string", "description": "A token from the replay line of a violation."],
        ]),
      ],
      "examples": [WorkedExample(of: descriptor).scenario],
    ]
  }

  /// `value`, or the word that leaves it open.
  private static func orAnything(_ value: JSONTree, _ summary: String) -> JSONTree {
    ["anyOf": [value, ScenarioSchema.name(AnythingLine.name, summary)]]
  }

  /// An object that takes these properties and no others.
  private static func object(_ properties: [JSONTree.Member]) -> JSONTree {
    ["type": "object", "additionalProperties": false, "properties": .object(properties)]
  }
}

// MARK: - The world

extension SystemSchema {
  /// The times without a connection, where something is reached over one.
  private var offline: [JSONTree.Member] {
    descriptor.isConnected ? [.init(key: OfflinePeriod.key, value: ["$ref": "#/$defs/offline"])] : []
  }

  private func fake(_ fake: SystemDescriptor.Fake) -> JSONTree {
    let operations = fake.operations.map { JSONTree.Member(key: $0.name, value: operation($0)) }
    return Self.orAnything(
      Self.object(operations).with(["description": .string(fake.summary)]),
      "Each operation answers whatever it may.")
  }

  private func operation(_ operation: SystemDescriptor.Operation) -> JSONTree {
    let everyCall = operation.keys.filter { $0 != .calls }.flatMap {
      ScenarioSchema.withFormerKeys(property($0, of: operation))
    }
    guard operation.keys.contains(.calls) else {
      return Self.orAnything(described(operation, everyCall), Self.anyAnswer)
    }
    let calls: JSONTree = [
      "type": "array", "minItems": 1, "items": Self.object(everyCall),
      "description": .string(OperationKey.calls.summary),
    ]
    let all = everyCall + [.init(key: OperationKey.calls.rawValue, value: calls)]
    return Self.orAnything(described(operation, all), Self.anyAnswer)
  }

  private static let anyAnswer =
    "Every reply and fault; each way in a twentieth of a second or five; it may go on when it is cancelled."

  private func described(_ operation: SystemDescriptor.Operation, _ properties: [JSONTree.Member]) -> JSONTree
  {
    Self.object(properties).with(["description": .string(operation.summary)])
  }

  private func property(_ key: OperationKey, of operation: SystemDescriptor.Operation) -> JSONTree.Member {
    let values: JSONTree =
      switch key {
      case .arrivalDelay, .delay, .spend, .calls: ["$ref": "#/$defs/time"]
      case .reply: Self.oneOrSeveral(["enum": .strings(operation.replies)])
      case .fails: Self.oneOrSeveral(["enum": .strings(operation.faults)])
      case .ignoresCancel: Self.oneOrSeveral(["type": "boolean"])
      }
    return JSONTree.Member(key: key.rawValue, value: values.with(["description": .string(key.summary)]))
  }

  private static func oneOrSeveral(_ value: JSONTree) -> JSONTree {
    ["anyOf": [value, ["type": "array", "minItems": 1, "uniqueItems": true, "items": value]]]
  }
}

// MARK: - The script

extension SystemSchema {
  private func line(_ action: SystemDescriptor.Action) -> JSONTree {
    let own = ParameterSchema.properties(action.arguments)
    let shared: JSONTree = [
      "do": ["const": .string(action.name)],
      "as": [
        "type": "string", "pattern": .string(PlainName.pattern),
        "description": "What \"cancel\" calls this line.",
      ],
      "times": ScenarioSchema.integer(ActionLine.timesLimits, "How many tasks do it at once.", default: 1),
      "at": ["$ref": "#/$defs/scriptTime"],
    ]
    let required = action.arguments.filter { $0.defaultValue == nil }.map(\.name)
    return Self.object(shared.members + own)
      .with(["required": .strings(["do"] + required), "description": .string(action.summary)])
  }

  private var anythingLine: JSONTree {
    let properties: JSONTree = [
      "do": ["const": .string(AnythingLine.name)],
      "actions": [
        "type": "array", "minItems": 1, "uniqueItems": true,
        "items": ["enum": .strings(descriptor.actions.map(\.name))],
        "description": "Which actions; all unless said.",
      ],
      "atMost": ScenarioSchema.integer(
        AnythingLine.atMostLimits, "How many actions at most.", default: AnythingLine.usually),
      "cancels": [
        "type": "boolean", "default": true, "description": "Whether what was begun may be cancelled, too.",
      ],
    ]
    return Self.object(properties.members).with([
      "required": ["do"],
      "description":
        "A story that is made up: which actions, with which arguments, when, and cancelled or not.",
    ])
  }

  private var cancelLine: JSONTree {
    let properties: JSONTree = [
      "cancel": ["type": "string", "description": "The label (\"as\") of a line of this script."],
      "at": ["$ref": "#/$defs/cancelTime"],
    ]
    return Self.object(properties.members)
      .with(["required": ["cancel"], "description": "Cancels every task of the line with that label."])
  }
}

// MARK: - Checks and expectations

extension SystemSchema {
  private var checks: [JSONTree] {
    descriptor.invariants.map(check)
      + vocabulary.builtInChecks.filter(\.mayBeListed).map { ScenarioSchema.name($0.name, $0.summary) }
  }

  private func check(_ invariant: SystemDescriptor.Invariant) -> JSONTree {
    guard let kind = invariant.parameter else {
      return ScenarioSchema.name(invariant.name, invariant.summary)
    }
    return Self.object([.init(key: invariant.name, value: ParameterSchema.tree(of: kind))])
      .with(["required": .strings([invariant.name]), "description": .string(invariant.summary)])
  }

  private func variants(_ value: JSONTree) -> JSONTree {
    Self.object(
      descriptor.variants.map { .init(key: $0.name, value: value.with(["description": .string($0.summary)])) }
    )
  }

  private var outcome: JSONTree {
    let own = descriptor.invariants.map { ScenarioSchema.name($0.name, $0.summary) }
    let builtIn = vocabulary.builtInChecks.map { ScenarioSchema.name($0.name, $0.summary) }
    let violated: JSONTree = ["anyOf": .array(own + builtIn)]
    return [
      "anyOf": [
        ["const": "holds", "description": "Nothing is violated."],
        [
          "const": .string(Expectation.testsNothing),
          "description": "Nothing is violated, and nothing under \"check\" ever has anything to judge.",
        ],
        ["type": "array", "minItems": 1, "uniqueItems": true, "items": violated],
      ]
    ]
  }
}
