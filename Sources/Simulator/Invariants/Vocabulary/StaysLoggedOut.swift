extension Invariant {
  /// Once the log-out has returned, nothing brings the session back, and no request carries its token.
  ///
  /// The race: a refresh is on its way when the user logs out; its reply is saved, and the app is logged in
  /// again.
  ///
  /// ```swift
  /// let renewed = try await service.renewed(session)   // the user logs out here
  /// try await keychain.save(renewed)                   // and is logged in again at the next launch
  /// ```
  ///
  /// All that the observed values have held by then is the old session. It stays gone after another log-in
  /// too, and at the next launch, when the process has died meanwhile; a new one may come as soon as that has begun. A request carries what its detail is, or a part of it
  /// where that is a record.
  ///
  /// - Parameters:
  ///   - logOut: The action that ends the session. One that throws or is cancelled promises nothing.
  ///   - logIn: The action that begins another.
  ///   - names: The observed values that hold the session, in memory or on the disk, or what came with it.
  ///     Nobody is logged in when they hold nothing.
  public static func staysLoggedOut(
    after logOut: String = "log-out", until logIn: String = "log-in", _ names: String...
  ) -> Invariant {
    Invariant(
      "stays-logged-out", "After the log-out nothing brings the session back or uses its token.",
      diagnosis: .outlivedOwner
    ) {
      StaysLoggedOut(logOut: logOut, logIn: logIn, names: names)
    }
  }
}

private struct StaysLoggedOut: Invariant.Monitor {
  let logOut: String
  let logIn: String
  let names: [String]
  private var held: [String: Trace.Value] = [:]
  /// All that has been held so far.
  private var known: Set<Trace.Value> = []
  /// All that had been held when the log-out returned.
  private var old: Set<Trace.Value> = []
  /// The log-out that returned last, unless a log-in has begun since.
  private var loggedOut: Trace.Event?
  /// Whether what is held is still to be looked at: the step of the log-out may yet let go of it.
  private var isToBeChecked = false

  init(logOut: String, logIn: String, names: [String]) {
    self.logOut = logOut
    self.logIn = logIn
    self.names = names
  }

  var judged: Bool { !old.isEmpty }
  var outlivesProcess: Bool { true }

  mutating func saw(_ event: Trace.Event) -> String? {
    if let loggedOut, event.step > loggedOut.step, let sentence = stillHeld() { return sentence }
    switch event.kind {
    case .changed(let name, _, let to) where names.contains(name): return changed(name, to, event)
    case .began(let call): return carried(call, event)
    case .actionBegan(let action) where action.name == logIn: loggedOut = nil
    case .actionEnded(let action, .returned) where action.name == logOut: returned(event)
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? { stillHeld() }

  private mutating func returned(_ event: Trace.Event) {
    old = known
    loggedOut = event
    isToBeChecked = true
  }

  private mutating func stillHeld() -> String? {
    guard isToBeChecked, let loggedOut else { return nil }
    isToBeChecked = false
    guard let name = names.first(where: { held[$0, default: .none] != .none }) else { return nil }
    return "the log-out returned at \(loggedOut.time), and \(name) holds \(held[name, default: .none])"
  }

  private mutating func changed(_ name: String, _ value: Trace.Value, _ event: Trace.Event) -> String? {
    held[name] = value
    guard value != .none else { return nil }
    known.insert(value)
    guard let loggedOut, event.step > loggedOut.step else {
      return old.contains(value) ? "at \(event.time) \(name) became \(value), of a session that is over" : nil
    }
    return "the log-out returned at \(loggedOut.time), and at \(event.time) \(name) became \(value)"
  }

  private func carried(_ call: Trace.Call, _ event: Trace.Event) -> String? {
    let carried: [Trace.Value] =
      if case .record(let fields) = call.detail { fields.map(\.value) } else { [call.detail] }
    guard let token = carried.first(where: old.contains) else { return nil }
    return "at \(event.time) \(call.operation) carried \(token), of a session that is over"
  }
}
