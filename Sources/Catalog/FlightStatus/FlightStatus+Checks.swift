import Simulator

// What must hold of a flight, beside what the vocabulary has.

// MARK: - What is newer

extension Invariant {
  /// While the app runs, the screen never shows an older flight after a newer one.
  static func newestIsShown(on screen: String) -> Invariant {
    Invariant(
      "newest-is-shown", "What the screen shows is never replaced by something older.",
      diagnosis: .staleOverNewer
    ) { Newest(name: screen, outlivesProcess: false) }
  }

  /// A newer flight on the disk is not replaced by an older one, whichever launch does it.
  static func newestIsKept(on disk: String) -> Invariant {
    Invariant(
      "newest-is-kept", "What the disk holds is never replaced by something older.",
      diagnosis: .staleOverNewer
    ) { Newest(name: disk, outlivesProcess: true) }
  }
}

private struct Newest: Invariant.Monitor {
  let name: String
  let outlivesProcess: Bool
  private var newest: (version: Int, since: VirtualInstant)?

  init(name: String, outlivesProcess: Bool) {
    self.name = name
    self.outlivesProcess = outlivesProcess
  }

  var judged: Bool { newest != nil }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(name, _, let to) = event.kind, case .int(let version)? = to["version"] else {
      return nil
    }
    guard let newest, version < newest.version else {
      if version != newest?.version { newest = (version, event.time) }
      return nil
    }
    return
      "\(name) had version \(newest.version) since \(newest.since), and at \(event.time) version \(version) replaced it"
  }
}

// MARK: - What was left, and who is let in

extension Invariant {
  /// At any moment the disk holds what the last version of the app has left, or what has become of it: never both, and never
  /// nothing.
  static func broughtOverAsAWhole(on disk: String) -> Invariant {
    Invariant(
      "brought-over-as-a-whole", "What the last version has left is brought over and tidied up at once.",
      diagnosis: .writtenInPart
    ) { BroughtOver(disk: disk) }
  }

  /// A new token is asked for where the last one was refused, and only there.
  static func refusedTokenIsReplaced(_ operation: String, refusedBy asked: String) -> Invariant {
    Invariant("refused-token-is-replaced", "A token is replaced when it is refused, and not before.") {
      RefusedToken(operation: operation, asked: asked)
    }
  }
}

private struct BroughtOver: Invariant.Monitor {
  let disk: String
  private(set) var judged = false

  init(disk: String) {
    self.disk = disk
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .changed(disk, let from, let to) = event.kind, from != .none else { return nil }
    judged = true
    let (isOld, isNew) = (to["old"] != nil, to["version"] != nil)
    if isOld, isNew { return "the old record was brought over, and is still there: \(to)" }
    return isOld || isNew ? nil : "nothing is left of \(from)"
  }
}

private struct RefusedToken: Invariant.Monitor {
  let operation: String
  let asked: String
  private var current: Trace.Value = "token 0"
  private var refused: Set<Trace.Value> = []
  private var underWay = 0
  /// The tasks that were refused.
  private var refusedTasks: Set<Int> = []
  /// The token that was refused since a new one was asked for last. Who is refused with the new one, too, gives up.
  private var owed: Trace.Value?
  private(set) var diagnosis: Invariant.Diagnosis?

  init(operation: String, asked: String) {
    self.operation = operation
    self.asked = asked
  }

  var judged: Bool { !refused.isEmpty }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .ended(let call, .threw("TokenRefused()")) where call.operation == asked:
      refused.insert(call.detail)
      let isFirst = event.task.map { refusedTasks.insert($0).inserted } ?? false
      if isFirst, call.detail == current, underWay == 0 { owed = current }
    case .began(let call) where call.operation == operation:
      (owed, underWay) = (nil, underWay + 1)
      if !refused.contains(current) {
        diagnosis = .leftState
        return "a new token is asked for, and \(current) was not refused"
      }
    case .ended(let call, let outcome) where call.operation == operation:
      underWay -= 1
      if case .returned(let new) = outcome { current = new }
    default: break
    }
    return nil
  }

  mutating func paused(_ time: VirtualInstant) -> String? { atRest(time) }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    owed.map { "\($0) was refused, and no new one was asked for" }
  }
}

// MARK: - One action after the other

extension FlightStatus {
  nonisolated static func isRight(_ alone: LoneAction) throws(LoneAction.Flaw) {
    switch alone.name {
    case "open" where alone.before["is-there"] == true:
      try alone.demand(
        alone.changes["screen"] == nil && alone.count("GET /flight") == 0,
        "a screen that is there stays as it is")
    // Without transactions nobody can tell which of its calls brings over, reads and saves.
    case "open" where alone.count("transaction") == 0 && alone.hadFailure: return
    case "open":
      try showsWhatItKnows(alone)
      try keepsWhatItKnows(alone)
      try asksWithTheTokenThatItGot(alone)
    case "change-gate": try bringsThePush(alone)
    default: try alone.demand(alone.changes["screen"] == nil, "who leaves changes nothing on the screen")
    }
  }

  private nonisolated static func showsWhatItKnows(_ alone: LoneAction) throws(LoneAction.Flaw) {
    let shown = alone.changes["screen"] ?? []
    try alone.demand(
      (shown.first ?? .none)["phase"] == "loading" || alone.before["screen"]?["phase"] == "loading",
      "the screen shows that it loads")
    let (before, reply) = (version(alone.before["screen"]), version(alone.answer("GET /flight")))
    let kept = isRead(alone) ? keptBefore(alone) : -1
    try alone.demand(
      kept <= before || !alone.ended("transaction", before: "GET /flight")
        || shown.contains { $0["phase"] == "loading" && version($0) == kept },
      "what is kept is shown while it loads")
    try alone.demand(
      version(alone.after["screen"]) == max(before, kept, reply), "the screen shows the newest that it knows")
    try alone.demand(
      shown.allSatisfy { $0["phase"] != "ready" || version($0) >= reply }, "what is ready is the reply")
    try alone.demand(
      alone.after["screen"]?["phase"] == (isSaved(alone) ? "ready" : "failed"),
      "it fails where the airline has not answered or the answer is not saved, and only there")
  }

  private nonisolated static func keepsWhatItKnows(_ alone: LoneAction) throws(LoneAction.Flaw) {
    let reply = version(alone.answer("GET /flight"))
    try alone.demand(
      [0, reply < 0 ? 1 : 2].contains(alone.count("transaction")),
      "what is kept is read, and the reply is saved")
    guard isRead(alone) else { return }
    try alone.demand(alone.after["disk"]?["old"] == nil, "what the last version has left is tidied up")
    guard reply < 0 || isSaved(alone) else { return }
    try alone.demand(
      version(alone.after["disk"]) == max(keptBefore(alone), reply),
      "the disk holds the newest that it was given")
  }

  private nonisolated static func asksWithTheTokenThatItGot(_ alone: LoneAction) throws(LoneAction.Flaw) {
    let (tokens, new) = (alone.details("GET /flight"), alone.answer("POST /token"))
    try alone.demand(
      tokens.count == (new == nil ? 1 : 2), "it asks once more with a new token, and without one it does not")
    if let new { try alone.demand(tokens.last == new, "it asks with the new token") }
  }

  private nonisolated static func bringsThePush(_ alone: LoneAction) throws(LoneAction.Flaw) {
    try alone.demand(
      alone.returned != alone.hadFailure, "it fails where the store has failed, and only there")
    let (screen, disk) = (alone.after["screen"], alone.after["disk"])
    if alone.returned {
      try alone.demand(
        version(disk) > keptBefore(alone) && disk?["old"] == nil,
        "the push is on the disk, in place of what was there")
    }
    guard alone.before["is-there"] == true else {
      return try alone.demand(alone.changes["screen"] == nil, "a screen that is gone does not change")
    }
    try alone.demand(
      version(screen) > version(alone.before["screen"])
        && screen?["phase"] == alone.before["screen"]?["phase"],
      "the push is on the screen, whether it could be saved or not")
    try alone.demand(
      !alone.returned || version(screen) == version(disk), "screen and disk show the same push")
  }

  /// Whether what was kept could be read.
  private nonisolated static func isRead(_ alone: LoneAction) -> Bool {
    alone.successes("transaction").first ?? !alone.hadFailure
  }

  /// Whether the airline's answer is on the disk, as far as the app was told.
  private nonisolated static func isSaved(_ alone: LoneAction) -> Bool {
    alone.answer("GET /flight") != nil && (alone.successes("transaction").last ?? !alone.hadFailure)
  }

  /// The version that the disk held when the action began; what the last version of the app has left counts as the oldest.
  private nonisolated static func keptBefore(_ alone: LoneAction) -> Int {
    max(version(alone.before["disk"]), alone.before["disk"]?["old"] == nil ? -1 : 0)
  }

  /// -1 where there is no flight.
  private nonisolated static func version(_ value: Trace.Value?) -> Int {
    if case .int(let version)? = value?["version"] { version } else { -1 }
  }
}
