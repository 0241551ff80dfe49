extension FakeReply {
  /// How a body comes that does not come at once.
  struct Pieces: Sendable {
    let count: Int
    /// How long each takes after the one before, and the first after the response.
    let every: FakeTiming
    /// The connection is lost after so many of them.
    let lostAfter: Int?
  }

  /// The same, whose body comes in `count` pieces: the response first, then one piece after the other.
  ///
  /// ```swift
  /// .json(ada).inPieces(3, every: .between(.zero, and: .seconds(2)))
  /// .json(ada).inPieces(3, every: .seconds(1), lostAfter: 2)
  /// ```
  ///
  /// Each piece is a step of its own, also where it takes no time. A delegate of a `URLSession` that is answered by a `FakeHTTP`
  /// is told of each. Everybody else gets the whole after the last, and so does who asks a ``FakeNetwork``, which knows no
  /// pieces: there it is only time that passes, and a connection that may be lost.
  ///
  /// A count below 1 or above the number of the body's bytes, a `lost` that is not below `count`, and a reply that is an
  /// error end the process with a sentence that says what to write.
  ///
  /// - Parameters:
  ///   - count: How many pieces. Their lengths differ by one byte at most, the longer ones come first.
  ///   - time: How long each takes after the one before, and the first after the response.
  ///   - lost: After so many of them, and the time of one more, the connection breaks off: ``FakeNetwork/Failure/connectionLost``
  ///     is thrown, which is `URLError.networkConnectionLost` for a `FakeHTTP`. The server has acted.
  public func inPieces(_ count: Int, every time: FakeTiming = .none, lostAfter lost: Int? = nil) -> FakeReply
  {
    let pieces = Pieces(count: count, every: time, lostAfter: lost)
    if let flaw = flaw(of: pieces) {
      // A mistake in the code of the test. Not `precondition`: an optimized build drops its sentence.
      fatalError("the reply \(name) cannot come in \(count) pieces: \(flaw)")
    }
    let end = lost.map { ", lost after \($0)" } ?? ""
    return FakeReply(
      name: "\(name) in \(count) \(count == 1 ? "piece" : "pieces")\(end)", status: status, body: body,
      headers: headers, error: nil, pieces: pieces)
  }

  private func flaw(of pieces: Pieces) -> String? {
    let size = body.utf8.count
    if error != nil { return "it is an error, which has no body: write it without `inPieces`" }
    if pieces.count < 1 { return "write at least 1" }
    if pieces.count > size { return "its body has \(size) bytes: write at most \(size), or a longer body" }
    if let flaw = pieces.every.flaw { return "the time of each \(flaw)" }
    guard let lost = pieces.lostAfter, !(0..<pieces.count).contains(lost) else { return nil }
    return "the connection is lost after \(lost) of them: write a number from 0 to \(pieces.count - 1)"
  }

  /// The `number`-th piece of the body, from 1; the body where it does not come in pieces.
  package func piece(_ number: Int) -> [UInt8] {
    let body = Array(body.utf8)
    guard let count = pieces?.count else { return body }
    let (size, rest) = body.count.quotientAndRemainder(dividingBy: count)
    let start = (number - 1) * size + min(number - 1, rest)
    return Array(body[start..<start + size + (number <= rest ? 1 : 0)])
  }
}

extension PendingCall {
  /// Waits while the body of `reply` comes in its pieces. `arrived` is called with 0 when the response is there, and with the
  /// number of each piece. Where there are none it does nothing.
  ///
  /// - Throws: ``FakeNetwork/Failure/connectionLost`` where the connection is lost, and what ``wait(_:)-(ClosedRange<Duration>)``
  ///   throws.
  package func bring(_ reply: FakeReply, _ arrived: (Int) -> Void = { _ in }) async throws {
    guard let pieces = reply.pieces else { return }
    arrived(0)
    for number in 1...pieces.count {
      try await waitForPiece(pieces.every.offered())
      if let lost = pieces.lostAfter, number > lost { throw FakeNetwork.Failure.connectionLost }
      arrived(number)
    }
  }

  private func waitForPiece(_ time: ClosedRange<Duration>) async throws {
    if time.upperBound > .zero { return try await wait(time) }
    await Task.yield()
    if !ignoresCancellation { try Task.checkCancellation() }
  }
}
