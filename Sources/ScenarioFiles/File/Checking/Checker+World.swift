extension Checker {
  /// `world`: for each fake, for each of its operations, how it behaves; and when there is no connection.
  mutating func world(_ node: JSONNode?, of descriptor: SystemDescriptor) -> WorldScript {
    if node?.isAnything == true { return .anything(of: descriptor) }
    guard let node, let fields = members(of: node) else { return WorldScript(entries: []) }
    let offline = fields.members.first { $0.key.name == OfflinePeriod.key }
    return WorldScript(
      entries: fields.members.flatMap { member in
        if member.key.name == OfflinePeriod.key { return [WorldScript.Entry]() }
        guard let fake = descriptor.fakes.first(where: { $0.name == member.key.name }) else {
          report(
            .unknownName(.fake, member.key.name, allowed: descriptor.worldKeys), at: member.key.range)
          return []
        }
        return entries(member.value, of: fake)
      }, offline: self.offline(offline, of: descriptor))
  }

  private mutating func entries(_ node: JSONNode, of fake: SystemDescriptor.Fake) -> [WorldScript.Entry] {
    if node.isAnything { return WorldScript.entries(of: fake) }
    guard let fields = members(of: node) else { return [] }
    return fields.members.compactMap { member in
      guard let operation = fake.operations.first(where: { $0.name == member.key.name }) else {
        let allowed = fake.operations.map(\.name)
        report(.unknownName(.operation, member.key.name, allowed: allowed), at: member.key.range)
        return nil
      }
      return WorldScript.Entry(
        fake: fake.name, operation: operation.name, script: operationScript(member.value, of: operation))
    }
  }

  private mutating func operationScript(
    _ node: JSONNode, of operation: SystemDescriptor.Operation
  ) -> OperationScript {
    if node.isAnything { return .anything(of: operation) }
    let owner = "the operation \(Echo.quoted(operation.name))"
    let keys = operation.keys.map(\.rawValue)
    guard let fields = fields(of: node, owner, optional: keys) else { return OperationScript() }
    var script = OperationScript(everyCall: operationSettings(fields, of: operation))
    guard operation.keys.contains(.calls) else { return script }
    script.calls = list(fields[OperationKey.calls.rawValue], "\"calls\"").map { call in
      let keys = keys.filter { $0 != OperationKey.calls.rawValue }
      let fields = self.fields(of: call, "a call of \(Echo.quoted(operation.name))", optional: keys)
      return fields.map { operationSettings($0, of: operation) } ?? OperationSettings()
    }
    return script
  }

  private mutating func operationSettings(
    _ fields: Fields, of operation: SystemDescriptor.Operation
  ) -> OperationSettings {
    var settings = OperationSettings()
    for key in operation.keys {
      guard let node = fields[key.rawValue] else { continue }
      switch key {
      case .arrivalDelay: settings.arrivalDelay = timeOffer(node)
      case .delay: settings.delay = timeOffer(node)
      case .spend: settings.spend = timeOffer(node)
      case .reply: settings.reply = names(node, .reply, allowed: operation.replies)
      case .fails: settings.fails = names(node, .fault, allowed: operation.faults)
      case .ignoresCancel: settings.ignoresCancel = bools(node)
      case .calls: break
      }
    }
    return settings
  }

  /// One name or a list of alternatives.
  private mutating func names(_ node: JSONNode, _ kind: NameKind, allowed: [String]) -> Alternatives<String>?
  {
    guard case .array = node.value else {
      return name(node, kind, allowed: allowed).map { Alternatives([$0]) }
    }
    return alternatives(node, allowed: "one of \(Echo.list(allowed))") { $0.name($1, kind, allowed: allowed) }
  }

  private mutating func bools(_ node: JSONNode) -> Alternatives<Bool>? {
    guard case .array = node.value else { return bool(node).map { Alternatives([$0]) } }
    return alternatives(node, allowed: "true or false") { $0.bool($1) }
  }
}

extension SystemDescriptor {
  /// What `"world"` may have.
  fileprivate var worldKeys: [String] { fakes.map(\.name) + (isConnected ? [OfflinePeriod.key] : []) }
}
