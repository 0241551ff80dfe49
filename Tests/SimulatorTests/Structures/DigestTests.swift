import Testing

@testable import SimulatorCore

/// The digest of an event is made of its words, which are not put together for it.
@Suite struct `The digest` {
  private static let values: [Trace.Value] = [
    .none, .bool(true), .bool(false), .int(0), .int(7), .int(10), .int(-1), .int(1_234_567_890), .int(.max),
    .int(.min), .text(""), .text("short"), .text("längér than what fits into a small string — ä"), .list([]),
    .list(["a"]), .list(["a", 2, .list([true, .none])]), .record([]),
    .record([.init("phase", "loaded"), .init("letters", .list(["a: b", "c"])), .init("count", -12)]),
  ]

  @Test(arguments: values) func `of a value is that of its description`(_ value: Trace.Value) {
    #expect(Digest.mix(1, saying: value) == Digest.mix(1, value.description))
  }

  private static let outcomes: [Trace.Outcome] =
    values.map { Trace.Outcome.returned($0) } + [.threw("offline"), .threw(""), .cancelled]

  @Test(arguments: outcomes)
  func `of an outcome is that of its description`(_ outcome: Trace.Outcome) {
    #expect(Digest.mix(1, saying: outcome) == Digest.mix(1, outcome.description))
  }
}
