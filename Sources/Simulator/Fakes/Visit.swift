/// One call at a fake, with everything about it decided.
struct Visit: Sendable {
  let call: Call
  let number: Int
  /// Where its record stands.
  let index: Int
  let delay: Duration
  let spend: Duration
  let reply: Reply
  let fault: Fault
  let ignoresCancellation: Bool

  init(_ call: Call, number: Int, index: Int, _ behaviour: Behaviour) {
    self.call = call
    self.number = number
    self.index = index
    delay = behaviour.delay.drawn()
    spend = behaviour.spend.drawn()
    reply = Alternatives.drawn(.alternative, among: behaviour.replies)
    fault = Alternatives.drawn(.fault, among: behaviour.faults)
    ignoresCancellation = Self.drawn(behaviour.ignoresCancellation)
  }

  /// What a report calls the two.
  private enum OnCancel: String, CustomStringConvertible {
    case honours = "honours a cancel"
    case ignores = "ignores a cancel"
    var description: String { rawValue }
  }

  private static func drawn(_ ignores: [Bool]) -> Bool {
    guard ignores.count > 1 else { return ignores[0] }
    return Alternatives.drawn(.alternative, among: ignores.map { $0 ? OnCancel.ignores : .honours })
      == .ignores
  }

  /// Waits. Throws `CancellationError` as soon as the requester is cancelled, unless the call ignores that.
  ///
  /// What has been waited for and what was cancelled meanwhile is cancelled: nothing happens for a requester that
  /// was cancelled between the timer and this task's turn.
  func wait(_ duration: Duration) async throws {
    guard !ignoresCancellation else { return await waitRegardless(duration) }
    try Task.checkCancellation()
    guard duration > .zero else { return }
    try await Task.sleep(for: duration)
    try Task.checkCancellation()
  }

  private func waitRegardless(_ duration: Duration) async {
    guard duration > .zero else { return }
    let deadline = ContinuousClock.now + duration
    do {
      try await Task.sleep(until: deadline)
    } catch {
      // A task that is cancelled cannot sleep; another one, which nobody cancels, sleeps for it.
      await Task.detached { try? await Task.sleep(until: deadline) }.value
    }
  }

  var injectedFault: InjectedFault { InjectedFault(fake: call.fake, operation: call.operation) }
}
