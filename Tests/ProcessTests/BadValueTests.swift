import Simulator
import Testing

/// Values that a fake cannot work with end the process, with a sentence that says what to write instead.
@Suite struct `A fake refuses` {
  @Test func `an empty list of replies`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeBehavior(replies: [])
    }
    #expect(says(result, "`replies` of a fake's behavior is empty: name at least one reply, such as `.ok()`"))
  }

  @Test func `an empty list of faults`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeNetwork(delay: .none, faults: [])
    }
    #expect(
      says(result, "`faults` of a fake's behavior is empty: for a call that never fails write `[.noFault]`"))
  }

  @Test func `an empty answer to whether it ignores cancellation, even when it is set later`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var behavior = FakeBehavior()
      behavior.ignoresCancellation = []
    }
    #expect(
      says(
        result,
        "`ignoresCancellation` of a fake's behavior is empty: for a call that ends when it is cancelled write `[false]`"
      ))
  }

  @Test func `a negative delay, and a negative time to spend`() async throws {
    let delay = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeNetwork(delay: .milliseconds(-5))
    }
    #expect(
      says(delay, "`delay` of a fake's behavior is negative (-0.005 seconds): a time is zero or longer"))
    let spend = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeBehavior(spend: .oneOf(.zero, .seconds(-1)))
    }
    #expect(says(spend, "`spend` of a fake's behavior is negative (-1.0 seconds): a time is zero or longer"))
  }

  @Test func `alternatives of which there are none, and a range that ends before it begins`() async throws {
    let none = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeKeyboard(pauses: [.oneOf()])
    }
    #expect(
      says(
        none, "`delay` of a fake's behavior has no alternatives: name at least one duration, or write `.none`"
      ))
    let range = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeTiming.between(.seconds(2), and: .seconds(1))
    }
    #expect(
      says(
        range, "a time between 2.0 seconds and 1.0 seconds does not exist: write the shorter duration first"))
  }

  @Test func `a period without a connection that is negative, or one of none`() async throws {
    let from = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeConnection.offline(from: .seconds(-1), for: .seconds(2))
    }
    #expect(
      says(
        from,
        "the `from` of a period without a connection is negative (-1.0 seconds): a time is zero or longer"))
    let length = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeConnection.Period(from: .none, for: .oneOf())
    }
    #expect(
      says(
        length,
        "the `for` of a period without a connection has no alternatives: name at least one duration, or write `.none`"
      ))
  }

  @Test func `an operation without behaviors`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeStore(["write": []])
    }
    #expect(
      says(
        result, "the fake store has an empty list of behaviors for write: name at least one behavior in it"))
    let keyboard = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeKeyboard(pauses: [])
    }
    #expect(says(keyboard, "the fake keyboard has an empty list of behaviors for key"))
  }

  @Test func `routes that take the same requests are refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeNetwork(["GET /list?a=1&b=2": [FakeBehavior()], "GET /list?b=2&a=1": [FakeBehavior()]])
    }
    #expect(
      says(
        result, "the routes GET /list?a=1&b=2 and GET /list?b=2&a=1 take the same requests: write one of them"
      ))
  }

  @Test func `a request that fits two routes alike is refused`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let network = FakeNetwork(["GET /list?a=1": [FakeBehavior()], "GET /list?b=2": [FakeBehavior()]])
      _ = try await network.send(FakeNetwork.Request("GET", "/list?b=2&a=1"))
    }
    #expect(
      says(
        result,
        "the request GET /list?b=2&a=1 fits the routes GET /list?a=1 and GET /list?b=2 alike: add a route that asks for all of it"
      ))
  }

  @Test func `pieces that a body does not have`() async throws {
    let many = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeReply.ok("Ada").inPieces(4)
    }
    #expect(
      says(many, "the reply ok cannot come in 4 pieces: its body has 3 bytes: write at most 3, or a longer"))
    let none = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeReply.ok("Ada").inPieces(0)
    }
    #expect(says(none, "the reply ok cannot come in 0 pieces: write at least 1"))
    let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeReply.offline.inPieces(2)
    }
    #expect(says(error, "cannot come in 2 pieces: it is an error, which has no body: write it without"))
  }

  @Test func `a connection that is lost after the last piece, and pieces in a negative time`() async throws {
    let lost = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeReply.ok("Ada").inPieces(3, lostAfter: 3)
    }
    #expect(says(lost, "the connection is lost after 3 of them: write a number from 0 to 2"))
    let time = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FakeReply.ok("Ada").inPieces(3, every: .seconds(-1))
    }
    #expect(says(time, "the time of each is negative (-1.0 seconds): a time is zero or longer"))
  }

  private func says(_ result: ExitTest.Result, _ sentence: String) -> Bool {
    String(decoding: result.standardErrorContent, as: UTF8.self).contains(sentence)
  }
}
