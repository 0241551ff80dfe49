import Testing

@testable import SimulatorCore

/// What processes of one build send to each other of a trace.
@Suite struct `The bytes of a trace` {
  private static let call = Trace.Call(
    id: 7, fake: "network", operation: "GET /rate",
    detail: .record([.init("list", [1, nil, true, "é😀", .int(.min), []]), .init("é", "")]),
    requesterWasCancelled: true)
  private static let action = Trace.Action(label: "first", name: "open")

  private static let kinds: [Trace.Event.Kind] = [
    .step, .began(call), .effect(call, "commits"), .cancellation(call, honored: true),
    .cancellation(call, honored: false), .ended(call, .returned(.int(.max))), .ended(call, .threw("no")),
    .ended(call, .cancelled), .actionBegan(action), .actionEnded(action, .returned(.none)),
    .cancelled(action), .taskCancelled(1), .taskCancelled(nil), .appeared(owner: "screen"),
    .dismissed(owner: "screen"), .changed(name: "n", from: .none, to: .bool(false)),
    .spent(.nanoseconds(1_500_000_001)), .anytime("leave"), .resumedTwice(task: "root"),
    .died(process: "app"), .relaunched,
    .offline(from: .start, to: VirtualInstant(nanoseconds: .max)), .cancelledNothing(label: "leave"),
    .crashed,
    .hung, .note("\u{0}"),
  ]

  private static let trace = Trace(
    events: kinds.enumerated().map { index, kind in
      Trace.Event(
        time: VirtualInstant(nanoseconds: [3, .max, 0][index % 3]), step: index * 1_000, domain: index % 2,
        task: index % 3 == 2 ? nil : index % 3, kind: kind)
    },
    domains: [
      Trace.Domain(type: "pool", ordinal: 0, kind: .pool), Trace.Domain(type: "A", ordinal: 2, kind: .actor),
    ],
    tasks: [
      Trace.Task(parent: nil, ordinal: 1, name: nil), Trace.Task(parent: 0, ordinal: 3, name: "first"),
    ], digest: .max, stacks: [[], [0], [0, 0], []], causes: [0, 1, 1],
    decisions: [
      4: .init(taken: "a", natural: "b"),
      -1: .init(taken: "", natural: "a", timer: .init(subject: "s", step: 9)),
    ])

  private static let bytes = {
    var bytes = ByteWriter()
    bytes.put(trace)
    return bytes.bytes
  }()

  private static func read(_ bytes: some Sequence<UInt8>) throws -> Trace {
    var reader = ByteReader(bytes)
    return try reader.only()
  }

  @Test func `say all that is in it`() throws {
    let (read, trace) = (try Self.read(Self.bytes), Self.trace)
    #expect(read.events == trace.events)
    #expect(read.domains == trace.domains)
    #expect(read.tasks == trace.tasks)
    #expect(read.digest == trace.digest)
    #expect(read.stacks == trace.stacks)
    #expect(read.causes == trace.causes)
    #expect(read.decisions == trace.decisions)
  }

  @Test func `are refused wherever they break off, and if more follows`() {
    for count in Self.bytes.indices {
      #expect(throws: BrokenBytes.self) { try Self.read(Self.bytes.prefix(count)) }
    }
    #expect(throws: BrokenBytes.self) { try Self.read(Self.bytes + [0]) }
  }

  @Test func `end nothing if they are changed`() throws {
    var refused = 0
    for place in Self.bytes.indices {
      for byte: UInt8 in [0, 1, 2, 0x7f, 0x80, 0xff, Self.bytes[place] ^ 1, Self.bytes[place] &+ 2] {
        var bytes = Self.bytes
        bytes[place] = byte
        guard let trace = try? Self.read(bytes) else {
          refused += 1
          continue
        }
        for event in trace.events { _ = trace.sentence(event) }
      }
    }
    #expect(refused > 100)
  }

  @Test func `are refused if they go too deep`() {
    let nested = [UInt8](repeating: 0, count: 200_000).indices.map { $0.isMultiple(of: 2) ? 8 : 2 as UInt8 }
    var reader = ByteReader(nested)
    #expect(throws: BrokenBytes.self) { try reader.only() as Trace.Value }
  }

  @Test(
    arguments: [
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], [0xfe, 0xff, 0x03], [0x00],
    ] as [[UInt8]])
  func `that are a number are that number`(bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    let number: Int = try reader.only()
    var writer = ByteWriter()
    writer.put(number)
    #expect(writer.bytes == bytes)
  }
}
