internal import SimulatorKernel

extension FakeReply {
  /// The way in which a body arrives that does not arrive at once.
  struct Pieces: Sendable {
    let count: Int
    /// The time between a piece and the one before it, and between the response and the first piece.
    let every: FakeTiming
    /// The number of pieces after which the connection is lost; nil if it is not lost.
    let lostAfter: Int?
  }

  /// Returns the same reply with a body that arrives in `count` pieces: the response first, then one piece after the
  /// other.
  ///
  /// ```swift
  /// let slow = FakeReply.json(ada).inPieces(3, every: .between(.zero, and: .seconds(2)))
  /// let cutOff = FakeReply.json(ada).inPieces(3, every: .seconds(1), lostAfter: 2)
  /// ```
  ///
  /// Each piece is a separate step, even if it takes no time. The delegate of a `URLSession` that a `FakeHTTP` answers
  /// is notified of each. All other callers get the whole body after the last piece. A ``FakeNetwork`` does not know
  /// pieces: there, only time passes, and the connection may be lost.
  ///
  /// A count below 1 or above the number of the body's bytes, a `lost` that is not below `count`, and a reply that is
  /// an error end the process with a message that says what to write.
  ///
  /// - Parameters:
  ///   - count: The number of pieces. Their lengths differ by at most one byte; the longer ones come first.
  ///   - time: The time between a piece and the one before it, and between the response and the first piece.
  ///   - lost: The number of pieces after which the connection breaks off, when the time of one more has passed.
  ///     ``FakeNetwork/Failure/connectionLost`` is then thrown, which is `URLError.networkConnectionLost` for a
  ///     `FakeHTTP`. The server has acted.
  public func inPieces(_ count: Int, every time: FakeTiming = .none, lostAfter lost: Int? = nil) -> FakeReply
  {
    let pieces = Pieces(count: count, every: time, lostAfter: lost)
    if let flaw = flaw(of: pieces) {
      // This is a mistake in the test's code. It is not a `precondition`, because an optimized build drops its message.
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

  /// Returns the `number`-th piece of the body, from 1; the body if it does not arrive in pieces.
  package func piece(_ number: Int) -> [UInt8] {
    let body = Array(body.utf8)
    guard let count = pieces?.count else { return body }
    let (size, rest) = body.count.quotientAndRemainder(dividingBy: count)
    let start = (number - 1) * size + min(number - 1, rest)
    return Array(body[start..<start + size + (number <= rest ? 1 : 0)])
  }
}

extension PendingCall {
  /// Waits while the body of `reply` arrives in its pieces. It calls `arrived` with 0 when the response is there, and
  /// with the number of each piece. Without pieces, it does nothing.
  ///
  /// - Throws: ``FakeNetwork/Failure/connectionLost`` if the connection is lost, and the errors of
  ///   ``wait(_:)-(ClosedRange<Duration>)``.
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
    if !ignoresCancellation { try Questions.checkCancellation() }
  }
}
