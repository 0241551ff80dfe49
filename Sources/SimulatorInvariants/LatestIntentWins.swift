public import SimulatorCore

extension Invariant {
  /// In the end the screen shows what the user chose last.
  ///
  /// The race: the user opens one thing and then another, and the answer to the first comes last.
  ///
  /// Answers are told apart by what they answer: the detail of a call. So this also judges answers from a cache. For answers
  /// of which each newer one replaces the older, see ``latestWins(_:on:_:failing:as:alsoOn:showing:)``. Nothing is owed to an
  /// action that has failed, that was canceled, that has not returned, or whose screen the user has left. O(1) an event.
  ///
  /// - Parameters:
  ///   - action: The action by which the user chooses.
  ///   - arguments: The arguments that the action must have; others are not judged.
  ///   - choice: The argument that says what is chosen.
  ///   - operation: The operation that answers; its detail is what is chosen. Nil if the screen shows the choice itself.
  ///   - screen: The observed value that shows the answer.
  ///   - part: The part of it that shows the answer, if it is a record.
  ///   - resets: The actions that end what the user has chosen.
  public static func latestChoiceWins(
    of action: String, where arguments: [String: Trace.Value] = [:], by choice: String,
    answeredBy operation: String? = nil, on screen: String, _ part: String? = nil, until resets: String...
  ) -> Invariant {
    Invariant(
      "latest-wins", "The screen shows what the user chose last, and never goes back.",
      diagnosis: .staleOverNewer
    ) {
      LatestIntentWins(
        intent: .init(action: action, arguments: arguments, resets: resets),
        kind: .shown(choice: choice, operation: operation), place: screen, part: part)
    }
  }

  /// In the end the disk, or the server, holds what the user saved last.
  ///
  /// The race: two saves overlap, and the older one is committed last.
  ///
  /// So it does after a relaunch. Nothing is owed to an action that has failed, that was canceled, or that has not returned, nor to
  /// one before it. O(1) an event.
  ///
  /// - Parameters:
  ///   - action: The action by which the user saves.
  ///   - key: The argument that says what is saved; it is also the part of the place. Nil if there is only one thing.
  ///   - value: The argument that says what is saved there.
  ///   - place: The observed value that holds it.
  public static func latestSaveWins(
    of action: String, for key: String? = nil, saving value: String, on place: String
  ) -> Invariant {
    Invariant(
      "latest-wins", "The disk holds what the user saved last.", diagnosis: .staleOverNewer
    ) {
      LatestIntentWins(
        intent: .init(action: action, arguments: [:], resets: []), kind: .kept(key: key, value: value),
        place: place, part: nil)
    }
  }

  /// One invariant of several that have the same name: it is broken if one of them is. O(`parts`) an event.
  ///
  /// - Parameter parts: For instance one for each of two screens; not empty. The name and the rule are those of the first.
  public static func all(_ parts: [Invariant]) -> Invariant {
    refuse(if: parts.isEmpty, "an invariant of several needs at least one")
    return Invariant(parts[0].name, parts[0].summary, diagnosis: parts[0].diagnosis) {
      Together(monitors: parts.map { $0.monitor() })
    }
  }
}

private struct LatestIntentWins: Invariant.Monitor {
  struct Intent {
    let action: String
    let arguments: [String: Trace.Value]
    let resets: [String]

    func matches(_ began: Trace.Action) -> Bool {
      began.name == action && arguments.allSatisfy { began.arguments[$0.key] == $0.value }
    }
  }

  enum Kind {
    case shown(choice: String, operation: String?)
    case kept(key: String?, value: String)
  }

  let intent: Intent
  let kind: Kind
  let place: String
  let part: String?
  /// By the key of what is saved, or by nothing: the last intent, until it has failed or is given up, and if it has returned.
  private var latest: [Trace.Value: (action: Trace.Action, hasReturned: Bool)] = [:]
  /// The choices that each value has answered.
  private var answered: [Trace.Value: Set<Trace.Value>] = [:]
  private var held = Trace.Value.none
  private(set) var judged = false

  init(intent: Intent, kind: Kind, place: String, part: String?) {
    (self.intent, self.kind, self.place, self.part) = (intent, kind, place, part)
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .actionBegan(let action) where intent.matches(action): latest[key(of: action)] = (action, false)
    case .actionBegan(let action) where intent.resets.contains(action.name): latest.removeAll()
    case .actionEnded(let action, .threw), .actionEnded(let action, .cancelled), .cancelled(let action):
      if isLatest(action) { latest[key(of: action)] = nil }
    case .actionEnded(let action, .returned) where intent.matches(action):
      judged = true
      if isLatest(action) { latest[key(of: action)]?.hasReturned = true }
    case .dismissed, .taskCancelled(nil): latest.removeAll()
    case .ended(let call, .returned(let value)):
      if case .shown(_, call.operation) = kind { answered[value, default: []].insert(call.detail) }
    case .changed(place, _, let to): held = part.flatMap { to[$0] } ?? to
    default: break
    }
    return nil
  }

  mutating func paused(_ time: VirtualInstant) -> String? { wrong() }
  mutating func atRest(_ end: VirtualInstant) -> String? { wrong() }

  /// What was saved is there after a relaunch. What had not returned may be there or not.
  var outlivesProcess: Bool { if case .kept = kind { true } else { false } }

  mutating func processDied(_ time: VirtualInstant) -> String? {
    latest = latest.filter(\.value.hasReturned)
    return nil
  }

  private func isLatest(_ action: Trace.Action) -> Bool { latest[key(of: action)]?.action == action }

  private func key(of action: Trace.Action) -> Trace.Value {
    guard case .kept(let key?, _) = kind else { return .none }
    return action.arguments[key] ?? .none
  }

  private func wrong() -> String? {
    let done = latest.filter(\.value.hasReturned).map { ($0.key, $0.value.action) }
    for (key, action) in done.sorted(by: { $0.1.label < $1.1.label }) {
      switch kind {
      case .shown(let choice, let operation):
        let answers = operation == nil ? (held == .none ? nil : [held]) : answered[held]
        guard let answers, let chosen = action.arguments[choice] else { continue }
        if !answers.contains(chosen) {
          let shown = answers.map(\.description).sorted().joined(separator: " and ")
          return
            "the user chose \(chosen) last, but in the end \(place) shows \(held), the answer to \(shown)"
        }
      case .kept(let name, let value):
        guard let saved = action.arguments[value] else { continue }
        let kept = name == nil ? held : held["\(key)"] ?? .none
        if kept != saved { return "the user saved \(saved) last, but in the end \(place) holds \(kept)" }
      }
    }
    return nil
  }
}

/// Several monitors of one invariant.
private struct Together: TaskMonitor {
  var monitors: [any Invariant.Monitor]
  private(set) var diagnosis: Invariant.Diagnosis?

  init(monitors: [any Invariant.Monitor]) { self.monitors = monitors }

  var outlivesProcess: Bool { monitors.allSatisfy(\.outlivesProcess) }
  var wantsSteps: Bool { monitors.contains(where: \.wantsSteps) }
  var judged: Bool { monitors.contains(where: \.judged) }

  mutating func saw(_ event: Trace.Event) -> String? { first { $0.saw(event) } }
  mutating func paused(_ time: VirtualInstant) -> String? { first { $0.paused(time) } }
  mutating func atRest(_ end: VirtualInstant) -> String? { first { $0.atRest(end) } }
  mutating func cutOff(_ end: VirtualInstant) -> String? { first { $0.cutOff(end) } }
  mutating func processDied(_ time: VirtualInstant) -> String? { first { $0.processDied(time) } }

  mutating func saw(cancelOf task: Int, _ tasks: any TaskKnowledge) {
    for index in monitors.indices {
      guard var monitor = monitors[index] as? any TaskMonitor else { continue }
      monitor.saw(cancelOf: task, tasks)
      monitors[index] = monitor
    }
  }

  private mutating func first(_ ask: (inout any Invariant.Monitor) -> String?) -> String? {
    var found: String?
    for index in monitors.indices {
      guard let answer = ask(&monitors[index]), found == nil else { continue }
      (found, diagnosis) = (answer, monitors[index].diagnosis)
    }
    return found
  }
}
