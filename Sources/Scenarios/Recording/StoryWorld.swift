import ScenarioFiles

/// How the fakes behaved in a story: when there was no connection, for each operation that was called what is usual in stories,
/// and the calls that differ.
struct StoryWorld {
  let story: ToldStory
  let descriptor: SystemDescriptor

  /// Nil where nothing was called, and the connection was there.
  var tree: JSONTree? {
    let fakes = descriptor.fakes.compactMap { fake -> JSONTree.Member? in
      let operations = fake.operations.compactMap { operation in
        self.operation(
          operation, story.calls.filter { $0.fake == fake.name && $0.operation == operation.name })
      }
      return operations.isEmpty ? nil : JSONTree.Member(key: fake.name, value: .object(operations))
    }
    let members = offline + fakes
    return members.isEmpty ? nil : .object(members)
  }

  private var offline: [JSONTree.Member] {
    guard !story.downtimes.isEmpty else { return [] }
    let periods = story.downtimes.map { downtime -> JSONTree in
      .object([
        .init(key: OfflinePeriod.Key.from.rawValue, value: .string("\(downtime.from)")),
        .init(key: OfflinePeriod.Key.length.rawValue, value: .string("\(downtime.length)")),
      ])
    }
    return [.init(key: OfflinePeriod.key, value: .array(periods))]
  }

  private func operation(
    _ operation: SystemDescriptor.Operation, _ calls: [ToldStory.Call]
  ) -> JSONTree.Member? {
    guard !calls.isEmpty else { return nil }
    let usual = Self.usual(of: operation)
    let differing = calls.map { call in Self.members(of: call, operation).filter { !usual.contains($0) } }
    guard let last = differing.lastIndex(where: { !$0.isEmpty }) else {
      return JSONTree.Member(key: operation.name, value: .object(usual))
    }
    guard operation.keys.contains(.calls) else {
      let all = usual.filter { one in !differing[last].contains { $0.key == one.key } } + differing[last]
      return JSONTree.Member(key: operation.name, value: .object(all))
    }
    // The last entry repeats: what comes after those that differ is usual again.
    let entries = differing[...last].map(JSONTree.object) + [.object([])]
    let calls = JSONTree.Member(key: OperationKey.calls.rawValue, value: .array(entries))
    return JSONTree.Member(key: operation.name, value: .object(usual + [calls]))
  }

  /// The times that a story takes by nature.
  private static func usual(of operation: SystemDescriptor.Operation) -> [JSONTree.Member] {
    let settings = OperationScript.anything(of: operation).everyCall
    return [(OperationKey.arrivalDelay, settings.arrivalDelay), (.delay, settings.delay)].compactMap {
      key, offer in
      guard case .alternatives(let lengths)? = offer, let first = lengths.first else { return nil }
      return JSONTree.Member(key: key.rawValue, value: .string("\(first)"))
    }
  }

  /// What was decided of a call, but for what is so where a file says nothing.
  private static func members(
    of call: ToldStory.Call, _ operation: SystemDescriptor.Operation
  ) -> [JSONTree.Member] {
    operation.keys.compactMap { key in
      let value: JSONTree? =
        switch key {
        case .arrivalDelay: call.arrivalDelay.map { .string("\($0)") }
        case .delay: .string("\(call.delay)")
        case .spend: call.spend == .zero ? nil : .string("\(call.spend)")
        case .reply: call.reply == operation.replies.first ? nil : .string(call.reply)
        case .fails: call.fault == operation.faults.first ? nil : .string(call.fault)
        case .ignoresCancel: call.ignoresCancel ? true : nil
        case .calls: nil
        }
      return value.map { JSONTree.Member(key: key.rawValue, value: $0) }
    }
  }
}
