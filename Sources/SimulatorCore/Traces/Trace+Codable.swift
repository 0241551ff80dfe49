internal import CConcurrencyHooks

/// The coded form is for another process of the same executable. Places in code are written as offsets, and are found
/// there again only when they are asked for.
///
/// The parts that every event and every address has are written as columns of numbers, which JSON reads and writes
/// several times as fast as one object for each.
extension Trace: Codable {
  private enum CodingKeys: CodingKey {
    case events, domains, tasks, digest, stacks, causes, decisions
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      events: try values.decode(EventColumns.self, forKey: .events).events(),
      domains: try values.decode([Domain].self, forKey: .domains),
      tasks: try values.decode(TaskColumns.self, forKey: .tasks).tasks(),
      digest: try values.decode(UInt64.self, forKey: .digest),
      stacks: try values.decode(StackColumns.self, forKey: .stacks).stacks(),
      causes: try values.decode(NumberColumn.self, forKey: .causes).integers,
      decisions: try values.decode([Int: Decision].self, forKey: .decisions))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(EventColumns(events), forKey: .events)
    try values.encode(domains, forKey: .domains)
    try values.encode(TaskColumns(tasks), forKey: .tasks)
    try values.encode(digest, forKey: .digest)
    try values.encode(NumberColumn(causes), forKey: .causes)
    try values.encode(decisions, forKey: .decisions)
    try values.encode(StackColumns(stacks), forKey: .stacks)
  }
}

/// The events of a trace, with a column for each of their parts.
private struct EventColumns: Codable {
  private let times: NumberColumn
  private let steps: NumberColumn
  private let domains: NumberColumn
  /// The tasks of the events; -1 for an event without one.
  private let tasks: NumberColumn
  /// The indices of the events that are no ``Trace/Event/Kind/step``; `kinds` holds their kinds.
  private var others: [Int] = []
  private var kinds: [Trace.Event.Kind] = []

  init(_ events: [Trace.Event]) {
    times = NumberColumn(events.lazy.map(\.time.nanoseconds))
    steps = NumberColumn(events.lazy.map(\.step))
    domains = NumberColumn(events.lazy.map(\.domain))
    tasks = NumberColumn(events.lazy.map { $0.task ?? -1 })
    for (index, event) in events.enumerated() where event.kind != .step {
      others.append(index)
      kinds.append(event.kind)
    }
  }

  func events() throws -> [Trace.Event] {
    let (times, steps, domains, tasks) = (times.numbers, steps.integers, domains.integers, tasks.integers)
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

/// Returns the different ones of `values`, and for each value the index of its equal among them; -1 for nil. O(values).
private func distinct<Value: Hashable>(
  _ values: some Sequence<Value?>
) -> (different: [Value], which: NumberColumn) {
  var known: [Value: Int] = [:]
  var different: [Value] = []
  let which = values.map { value in
    guard let value else { return -1 }
    if let index = known[value] { return index }
    known[value] = different.count
    different.append(value)
    return different.count - 1
  }
  return (different, NumberColumn(which))
}

/// The tasks of a trace, with a column for each of their parts.
private struct TaskColumns: Codable {
  /// The parents of the tasks; -1 for a task without one.
  private let parents: NumberColumn
  private let ordinals: NumberColumn
  private let names: [String]
  /// The index of each task's name; -1 if it has none. Tasks that run the blocks of one queue share a name.
  private let which: NumberColumn

  init(_ tasks: [Trace.Task]) {
    parents = NumberColumn(tasks.lazy.map { $0.parent ?? -1 })
    ordinals = NumberColumn(tasks.lazy.map(\.ordinal))
    (names, which) = distinct(tasks.lazy.map(\.name))
  }

  func tasks() throws -> [Trace.Task] {
    let (parents, ordinals, which) = (parents.integers, ordinals.integers, which.integers)
    guard parents.count == ordinals.count, which.count == parents.count,
      which.allSatisfy({ $0 < names.count })
    else { throw BrokenColumns() }
    return parents.indices.map { index in
      Trace.Task(
        parent: parents[index] < 0 ? nil : parents[index], ordinal: ordinals[index],
        name: which[index] < 0 ? nil : names[which[index]])
    }
  }
}

/// Addresses within the executable and its libraries, some for each stack. The same stacks repeat often.
private struct StackColumns: Codable {
  private var names: [String] = []
  /// For each stack, its index among the different ones.
  private let which: NumberColumn
  /// The number of addresses of each different stack.
  private let counts: NumberColumn
  /// For each address, the index of its image; -1 if no image holds it.
  private let images: NumberColumn
  private let offsets: NumberColumn

  init(_ stacks: [[UInt]]) {
    let different: [[UInt]]
    (different, which) = distinct(stacks.lazy.map(Optional.some))
    counts = NumberColumn(different.map(\.count))
    let addresses = different.joined().map { address -> (name: String, offset: UInt)? in
      guard let name = unsafe ch_image_name(address) else { return nil }
      return (unsafe String(cString: name), ch_image_offset(address))
    }
    let names = Set(addresses.compactMap { $0?.name }).sorted()
    images = NumberColumn(
      addresses.map { address in address.flatMap { names.firstIndex(of: $0.name) } ?? -1 })
    offsets = NumberColumn(addresses.map { $0?.offset ?? 0 })
    self.names = names
  }

  func stacks() throws -> [[UInt]] {
    let (counts, images) = (counts.integers, images.integers)
    guard images.count == offsets.numbers.count, counts.allSatisfy({ 0...images.count ~= $0 }),
      counts.reduce(0, +) == images.count, which.integers.allSatisfy(counts.indices.contains)
    else { throw BrokenColumns() }
    let bases = names.map { unsafe ch_image_base($0) }
    let addresses = zip(images, offsets.numbers).map { image, offset -> UInt in
      guard bases.indices.contains(image), bases[image] != 0 else { return 0 }
      return bases[image] &+ UInt(truncatingIfNeeded: offset)
    }
    var next = 0
    let different = counts.map { count in
      defer { next += count }
      return Array(addresses[next..<(next + count)])
    }
    return which.integers.map { different[$0] }
  }
}

extension Trace.Excerpt: Codable {
  private enum CodingKeys: CodingKey { case subject, stack, does, end }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      subject: try values.decode(String.self, forKey: .subject),
      stack: try values.decode(StackColumns.self, forKey: .stack).stacks().first ?? [],
      does: try values.decode(String.self, forKey: .does),
      end: try values.decode(String.self, forKey: .end))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(subject, forKey: .subject)
    try values.encode(does, forKey: .does)
    try values.encode(end, forKey: .end)
    try values.encode(StackColumns([stack]), forKey: .stack)
  }
}
