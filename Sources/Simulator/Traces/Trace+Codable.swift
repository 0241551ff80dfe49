internal import CConcurrencyHooks

/// For another process of the same executable: places in code are told by their offsets, and found there again only when
/// they are asked for.
///
/// What every event and every address has is written as columns of numbers, which JSON reads and writes several times as fast
/// as one object for each.
extension Trace: Codable {
  private enum CodingKeys: CodingKey {
    case events, domains, tasks, digest, stacks, causes, decisions
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      events: try values.decode(EventColumns.self, forKey: .events).events(),
      domains: try values.decode([Domain].self, forKey: .domains),
      tasks: try values.decode([Task].self, forKey: .tasks),
      digest: try values.decode(UInt64.self, forKey: .digest),
      stacks: try values.decode(StackColumns.self, forKey: .stacks).stacks(),
      causes: try values.decode([Int].self, forKey: .causes),
      decisions: try values.decode([Int: Decision].self, forKey: .decisions))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(EventColumns(events), forKey: .events)
    try values.encode(domains, forKey: .domains)
    try values.encode(tasks, forKey: .tasks)
    try values.encode(digest, forKey: .digest)
    try values.encode(causes, forKey: .causes)
    try values.encode(decisions, forKey: .decisions)
    try values.encode(StackColumns(stacks), forKey: .stacks)
  }
}

/// The events of a trace, a column for each of their parts.
private struct EventColumns: Codable {
  private var times: [Int64] = []
  private var steps: [Int] = []
  private var domains: [Int] = []
  /// -1 where there is no task.
  private var tasks: [Int] = []
  /// Which events are no ``Trace/Event/Kind/step``, and what they are.
  private var others: [Int] = []
  private var kinds: [Trace.Event.Kind] = []

  init(_ events: [Trace.Event]) {
    for (index, event) in events.enumerated() {
      times.append(event.time.nanoseconds)
      steps.append(event.step)
      domains.append(event.domain)
      tasks.append(event.task ?? -1)
      guard event.kind != .step else { continue }
      others.append(index)
      kinds.append(event.kind)
    }
  }

  func events() throws -> [Trace.Event] {
    let counts = [steps.count, domains.count, tasks.count]
    guard counts.allSatisfy({ $0 == times.count }), others.count == kinds.count,
      others.allSatisfy(times.indices.contains)
    else { throw BrokenColumns() }
    var all = [Trace.Event.Kind](repeating: .step, count: times.count)
    for (index, kind) in zip(others, kinds) { all[index] = kind }
    return times.indices.map { index in
      Trace.Event(
        time: VirtualInstant(nanoseconds: times[index]), step: steps[index], domain: domains[index],
        task: tasks[index] < 0 ? nil : tasks[index], kind: all[index])
    }
  }
}

/// Addresses within the executable and its libraries, some of each stack.
private struct StackColumns: Codable {
  private var names: [String] = []
  /// How many addresses each stack has.
  private var counts: [Int] = []
  /// Of each address the index of its image; -1 when no image holds it.
  private var images: [Int] = []
  private var offsets: [UInt] = []

  init(_ stacks: [[UInt]]) {
    for stack in stacks {
      counts.append(stack.count)
      for address in stack { add(address) }
    }
  }

  private mutating func add(_ address: UInt) {
    guard let name = unsafe ch_image_name(address) else {
      images.append(-1)
      offsets.append(0)
      return
    }
    let text = unsafe String(cString: name)
    let image = names.firstIndex(of: text) ?? names.endIndex
    if image == names.endIndex { names.append(text) }
    images.append(image)
    offsets.append(ch_image_offset(address))
  }

  func stacks() throws -> [[UInt]] {
    guard images.count == offsets.count, counts.allSatisfy({ 0...images.count ~= $0 }),
      counts.reduce(0, +) == images.count
    else { throw BrokenColumns() }
    let bases = names.map { unsafe ch_image_base($0) }
    let addresses = zip(images, offsets).map { image, offset -> UInt in
      guard bases.indices.contains(image), bases[image] != 0 else { return 0 }
      return bases[image] &+ offset
    }
    var next = 0
    return counts.map { count in
      defer { next += count }
      return Array(addresses[next..<(next + count)])
    }
  }
}

/// Columns whose lengths do not agree: nothing that a trace has written.
private struct BrokenColumns: Error {}

extension Trace.Excerpt: Codable {
  private enum CodingKeys: CodingKey { case subject, stack, does, end }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      subject: try values.decode(String.self, forKey: .subject),
      stack: try values.decode(StackColumns.self, forKey: .stack).stacks().first ?? [],
      does: try values.decode(String.self, forKey: .does),
      end: try values.decode(String.self, forKey: .end))
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(subject, forKey: .subject)
    try values.encode(does, forKey: .does)
    try values.encode(end, forKey: .end)
    try values.encode(StackColumns([stack]), forKey: .stack)
  }
}
