extension Checker {
  /// `script`: what is done and cancelled, and when.
  mutating func script(_ node: JSONNode?, of descriptor: SystemDescriptor) -> [ScriptLine] {
    var labels = ScriptLabels()
    let lines = list(node, "\"script\"", instead: nil).compactMap {
      scriptLine($0, of: descriptor, labels: &labels)
    }
    checkCancels(labels, isWhole: node?.isWholeList ?? false)
    return lines
  }

  private mutating func scriptLine(
    _ node: JSONNode, of descriptor: SystemDescriptor, labels: inout ScriptLabels
  ) -> ScriptLine? {
    guard let fields = members(of: node) else {
      labels.isWhole = false
      return nil
    }
    if !fields.isWhole { labels.isWhole = false }
    switch (fields[.do], fields[.cancel]) {
    case (let action?, nil) where action.isAnything: return .anything(anythingLine(fields, of: descriptor))
    case (let action?, nil):
      return actionLine(fields, action, of: descriptor, labels: &labels).map { .action($0) }
    case (nil, let cancelled?): return cancelLine(fields, cancelled, labels: &labels).map { .cancel($0) }
    case (_?, _?): report(.doAndCancel, at: node)
    case (nil, nil): if fields.isWhole { report(.neitherDoNorCancel, at: node) }
    }
    labels.isWhole = false
    return nil
  }

  private mutating func actionLine(
    _ fields: Fields, _ name: JSONNode, of descriptor: SystemDescriptor, labels: inout ScriptLabels
  ) -> ActionLine? {
    let label = label(fields[.label], labels: &labels)
    let times = fields[.times].flatMap { integer($0, in: ActionLine.timesLimits) }
    let at = fields[.at].flatMap { beginning($0) { $0.scriptTime($1) } }
    guard let action = action(name, of: descriptor) else { return nil }
    return ActionLine(
      action: action.name, arguments: arguments(fields, of: action), label: label, times: times ?? 1,
      at: at ?? .offered(.fixed(.zero)), position: position(of: fields.node))
  }

  /// Whatever the user may do.
  private mutating func anythingLine(_ fields: Fields, of descriptor: SystemDescriptor) -> AnythingLine {
    let allowed = [ScriptKey.do, .actions, .atMost, .cancels].map(\.rawValue)
    for member in fields.members where !allowed.contains(member.key.name) {
      report(
        .unknownKey(member.key.name, owner: "a line that does anything", allowed: allowed),
        at: member.key.range)
    }
    let names = fields[.actions].map { node in
      list(node, "\"actions\"").compactMap { name($0, .action, allowed: descriptor.actions.map(\.name)) }
    }
    let atMost = fields[.atMost].flatMap { integer($0, in: AnythingLine.atMostLimits) }
    let cancels = fields[.cancels].flatMap { bool($0) }
    return AnythingLine(
      of: descriptor, names, atMost: atMost ?? AnythingLine.usually, cancels: cancels ?? true,
      at: position(of: fields.node))
  }

  /// When a line begins, which must be before the execution ends.
  private mutating func beginning(
    _ node: JSONNode, _ time: (inout Checker, JSONNode) -> ScriptTime?
  ) -> ScriptTime? {
    let time = time(&self, node)
    if case .offered(let offer) = time, offer.latest > until {
      report(.afterEnd(found: "\"\(offer.latest)\"", until: "\"\(until)\""), at: node)
    }
    return time
  }

  private mutating func action(_ node: JSONNode, of descriptor: SystemDescriptor) -> SystemDescriptor.Action?
  {
    let allowed = descriptor.actions.map(\.name)
    guard let name = name(node, .action, allowed: allowed) else { return nil }
    return descriptor.actions.first { $0.name == name }
  }

  private mutating func arguments(_ fields: Fields, of action: SystemDescriptor.Action) -> NamedValues {
    let own = action.arguments.map(\.name)
    let allowed = own + [ScriptKey.do, .label, .times, .at].map(\.rawValue)
    let owner = "the action \(Echo.quoted(action.name))"
    for member in fields.members where !allowed.contains(member.key.name) {
      report(.unknownKey(member.key.name, owner: owner, allowed: allowed), at: member.key.range)
    }
    let required = action.arguments.filter { $0.defaultValue == nil }.map(\.name)
    for name in missing(required, in: fields, allowed: allowed) {
      report(.missingKey(name, owner: owner), at: fields.node)
    }
    return values(of: action.arguments, in: fields)
  }

  private mutating func cancelLine(
    _ fields: Fields, _ cancelled: JSONNode, labels: inout ScriptLabels
  ) -> CancelLine? {
    let allowed = [ScriptKey.cancel, .at].map(\.rawValue)
    for member in fields.members where !allowed.contains(member.key.name) {
      report(.unknownKey(member.key.name, owner: "a cancel line", allowed: allowed), at: member.key.range)
    }
    let at = fields[.at].flatMap { beginning($0) { $0.cancelTime($1) } }
    guard let label = string(cancelled, allowed: "the label (\"as\") of a line, in quotes") else {
      return nil
    }
    labels.cancelled.append((label, cancelled))
    return CancelLine(label: label, at: at ?? .offered(.fixed(.zero)), position: position(of: fields.node))
  }
}

// MARK: - Labels

/// The labels that a script defines and those it cancels.
struct ScriptLabels {
  var defined = UniqueNames(.label)
  var inOrder: [String] = []
  var cancelled: [(label: String, node: JSONNode)] = []
  /// False when a line could not be read: a label that seems to be missing may stand in it.
  var isWhole = true
}

extension Checker {
  private mutating func label(_ node: JSONNode?, labels: inout ScriptLabels) -> String? {
    guard let node else { return nil }
    guard let label = plainName(node, .label) else {
      labels.isWhole = false
      return nil
    }
    claim(label, in: &labels.defined, at: node.range)
    labels.inOrder.append(label)
    return label
  }

  private mutating func checkCancels(_ labels: ScriptLabels, isWhole: Bool) {
    guard isWhole && labels.isWhole else { return }
    let defined = Set(labels.inOrder)
    for (label, node) in labels.cancelled where !defined.contains(label) {
      report(.undefinedLabel(label, allowed: labels.inOrder), at: node)
    }
  }
}

extension Fields {
  subscript(key: ScriptKey) -> JSONNode? { self[key.rawValue] }
}

extension JSONNode {
  /// Whether it says `"anything"`.
  var isAnything: Bool { value == .string(AnythingLine.name) }

  fileprivate var isWholeList: Bool {
    if case .array(let array) = value { return array.isWhole }
    return false
  }
}
