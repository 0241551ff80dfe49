internal import CConcurrencyHooks
internal import FoundationEssentials

/// The coded form is for another process of the same executable: bytes, within whatever else is sent. Places in code are
/// written as offsets, and are found there again only when they are asked for.
extension Trace: Codable {
  public init(from decoder: any Decoder) throws {
    var bytes = ByteReader(try decoder.singleValueContainer().decode(Data.self))
    self = try bytes.only()
  }

  public func encode(to encoder: any Encoder) throws {
    var bytes = ByteWriter()
    bytes.put(self)
    var container = encoder.singleValueContainer()
    try container.encode(Data(bytes.bytes))
  }
}

extension Trace.Excerpt: Codable {
  package init(from decoder: any Decoder) throws {
    var bytes = ByteReader(try decoder.singleValueContainer().decode(Data.self))
    self = try bytes.only()
  }

  package func encode(to encoder: any Encoder) throws {
    var bytes = ByteWriter()
    bytes.put(self)
    var container = encoder.singleValueContainer()
    try container.encode(Data(bytes.bytes))
  }
}

extension Trace: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(digest, domains, tasks, events.count)
    var (time, step): (Int64, Int) = (0, 0)
    for event in events {
      bytes.put(
        event.time.nanoseconds &- time, event.step &- step, event.domain, event.task ?? -1, event.kind)
      (time, step) = (event.time.nanoseconds, event.step)
    }
    bytes.put(causes, decisions.count)
    for (position, decision) in decisions.sorted(by: { $0.key < $1.key }) { bytes.put(position, decision) }
    bytes.put(Stacks(stacks))
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    let digest: UInt64 = try bytes.next()
    let domains: [Domain] = try bytes.next()
    let tasks: [Task] = try bytes.next()
    for (index, task) in tasks.enumerated() {
      guard task.parent.map({ (0..<index).contains($0) }) ?? true else { throw BrokenBytes() }
    }
    var events: [Event] = []
    var (time, step): (Int64, Int) = (0, 0)
    for _ in 0..<(try bytes.count()) {
      time &+= try bytes.next() as Int64
      step &+= try bytes.next() as Int
      let (domain, task): (Int, Int) = (try bytes.next(), try bytes.next())
      let kind: Event.Kind = try bytes.next()
      guard domains.indices.contains(domain), task == -1 || tasks.indices.contains(task) else {
        throw BrokenBytes()
      }
      if case .taskCancelled(let other?) = kind, !tasks.indices.contains(other) { throw BrokenBytes() }
      events.append(
        Event(
          time: VirtualInstant(nanoseconds: time), step: step, domain: domain,
          task: task == -1 ? nil : task, kind: kind))
    }
    let causes: [Int] = try bytes.next()
    var decisions: [Int: Decision] = [:]
    for _ in 0..<(try bytes.count()) { decisions[try bytes.next()] = try bytes.next() as Decision }
    self.init(
      events: events, domains: domains, tasks: tasks, digest: digest,
      stacks: try (bytes.next() as Stacks).stacks, causes: causes, decisions: decisions)
  }
}

extension Trace.Domain: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(type, ordinal, kind.rawValue)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    let (type, ordinal): (String, Int) = (try bytes.next(), try bytes.next())
    guard let kind = Kind(rawValue: try bytes.next()) else { throw BrokenBytes() }
    self.init(type: type, ordinal: ordinal, kind: kind)
  }
}

extension Trace.Task: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(parent, ordinal, name)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    self.init(parent: try bytes.next(), ordinal: try bytes.next(), name: try bytes.next())
  }
}

extension Trace.Decision: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(taken, natural, timer?.subject, timer?.step ?? 0)
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    let (taken, natural): (String, String) = (try bytes.next(), try bytes.next())
    let (subject, step): (String?, Int) = (try bytes.next(), try bytes.next())
    self.init(taken: taken, natural: natural, timer: subject.map { Timer(subject: $0, step: step) })
  }
}

extension Trace.Excerpt: Packed {
  func pack(into bytes: inout ByteWriter) {
    bytes.put(subject, does, end, Stacks([stack]))
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    let (subject, does, end): (String, String, String) = (
      try bytes.next(), try bytes.next(), try bytes.next()
    )
    guard let stack = try (bytes.next() as Stacks).stacks.first else { throw BrokenBytes() }
    self.init(subject: subject, stack: stack, does: does, end: end)
  }
}

/// Addresses within the executable and its libraries, some for each stack. The same stacks and addresses repeat often.
private struct Stacks: Packed {
  let stacks: [[UInt]]

  init(_ stacks: [[UInt]]) { self.stacks = stacks }

  func pack(into bytes: inout ByteWriter) {
    var known: [[UInt]: Int] = [:]
    bytes.put(stacks.count)
    for stack in stacks {
      bytes.put(known[stack] ?? known.count)
      if known[stack] != nil { continue }
      known[stack] = known.count
      bytes.put(stack.count)
      for address in stack {
        let image = unsafe ch_image_name(address).map { unsafe String(cString: $0) }
        bytes.put(image)
        if image != nil { bytes.put(ch_image_offset(address)) }
      }
    }
  }

  init(from bytes: inout ByteReader) throws(BrokenBytes) {
    var known: [[UInt]] = []
    var bases: [String: UInt] = [:]
    let count = try bytes.count()
    stacks = try (0..<count).map { (_) throws(BrokenBytes) -> [UInt] in
      let index: Int = try bytes.next()
      if known.indices.contains(index) { return known[index] }
      guard index == known.count else { throw BrokenBytes() }
      var stack: [UInt] = []
      for _ in 0..<(try bytes.count()) {
        guard let image = try bytes.next() as String? else {
          stack.append(0)
          continue
        }
        let base = unsafe bases[image] ?? UInt(ch_image_base(image))
        bases[image] = base
        let offset: UInt = try bytes.next()
        stack.append(base == 0 ? 0 : base &+ offset)
      }
      known.append(stack)
      return stack
    }
  }
}
