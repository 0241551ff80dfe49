public import SimulatorCore

extension Invariant {
  /// No request is sent with a token that has already expired.
  ///
  /// The race: the token is checked, something is awaited, and then it is used.
  ///
  /// ```swift
  /// let token = try await tokens.valid()
  /// let signature = try await signer.sign(request)   // a second later the token is none any more
  /// return try await transport.send(request, signature, token)
  /// ```
  ///
  /// A token that expires on the wire is not a fault. A call's detail reports that its token has expired with a part
  /// called `expired`, as ``FakeTokenService/traceValue(of:)`` does.
  ///
  /// - Parameter operations: The operations that carry a token, such as `GET /page`.
  public static func noExpiredTokenSent(_ operations: String...) -> Invariant {
    Invariant(
      "no-expired-token-sent", "No request is sent with a token that has expired.",
      diagnosis: .usedAfterExpiry
    ) {
      NoExpiredTokenSent(operations: operations)
    }
  }
}

private struct NoExpiredTokenSent: Invariant.Monitor {
  let operations: [String]
  private(set) var judged = false

  init(operations: [String]) {
    self.operations = operations
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .began(let call) = event.kind, operations.contains(call.operation) else { return nil }
    judged = true
    guard let expired = call.detail["expired"] else { return nil }
    let token = call.detail["token"].map { "\($0)" } ?? "a token"
    return "at \(event.time) \(call.operation) was sent with \(token), which had expired \(expired)"
  }
}
