public import SimulatorCore

extension Invariant {
  /// Once the logout has returned, nothing brings the session back, and no request carries its token.
  ///
  /// The race: a refresh is in flight when the user logs out; its reply is saved, and the app is logged in again.
  ///
  /// ```swift
  /// let renewed = try await service.renewed(session)   // the user logs out here
  /// try await keychain.save(renewed)                   // and is logged in again at the next launch
  /// ```
  ///
  /// Every value that the observed values have held by then belongs to the old session. It must stay gone after another
  /// login too, and at the next launch if the process has died in the meantime. A new session may come as soon as a
  /// login has begun. A request carries its detail, or each part of it if that is a record.
  ///
  /// - Parameters:
  ///   - logOut: The action that ends the session. An action that throws or is canceled promises nothing.
  ///   - logIn: The action that begins another session.
  ///   - names: The observed values that hold the session, in memory or on the disk, or what came with it. If they hold
  ///     nothing, no user is logged in.
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
  /// All values that have been held so far.
  private var known: Set<Trace.Value> = []
  /// All values that had been held when the logout returned.
  private var old: Set<Trace.Value> = []
  /// The last logout that returned, unless a login has begun since.
  private var loggedOut: Trace.Event?
  /// True if the held values are yet to be checked: the step of the logout may still discard them.
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
