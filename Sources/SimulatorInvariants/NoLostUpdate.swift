public import SimulatorCore

extension Invariant {
  /// Each update that returns has been counted: no other update has overwritten it, and none counts more than once.
  ///
  /// The race: two updates read the same number, and each adds one and writes it back.
  ///
  /// ```swift
  /// let count = await box.get("news") ?? 0
  /// await box.set(count + 1, for: "news")   // each call is safe, the two together are not
  /// ```
  ///
  /// Judged when all is at rest. An update that threw or was canceled may have been counted or not.
  ///
  /// - Parameters:
  ///   - count: The observed number.
  ///   - part: The part of it that is counted, if it is a record.
  ///   - actions: The actions that each add one.
  public static func noLostUpdate(
    of count: String, _ part: String? = nil, by actions: String...
  ) -> Invariant {
    Invariant("no-lost-update", "Every update that returns has been counted.") {
      NoLostUpdate(count: count, part: part, actions: actions)
    }
  }
}

private struct NoLostUpdate: Invariant.Monitor {
  let count: String
  let part: String?
  let actions: [String]
  private var first: Int?
  private var last = 0
  private var begun = 0
  private var returned = 0
  private var underWay: Set<String> = []
  /// The updates since none was last under way: several that overlapped, or a single one.
  private var group = Group(start: 0)
  private var isLostTogether = false
  private var isLostAlone = false

  private struct Group {
    let start: Int
    var returned = 0
    var isShared = false
  }

  init(count: String, part: String?, actions: [String]) {
    self.count = count
    self.part = part
    self.actions = actions
  }

  var judged: Bool { returned > 1 && first != nil }
  /// An update that is lost without a concurrent one is not a race.
  var diagnosis: Invariant.Diagnosis? { isLostTogether && !isLostAlone ? .lostUpdate : nil }

  mutating func saw(_ event: Trace.Event) -> String? {
    switch event.kind {
    case .changed(count, let from, let to): changed(from, to)
    case .actionBegan(let action) where actions.contains(action.name): began(action)
    case .actionEnded(let action, let outcome) where actions.contains(action.name): ended(action, outcome)
    default: break
    }
    return nil
  }

  mutating func atRest(_ end: VirtualInstant) -> String? {
    endGroup()
    guard let first, underWay.isEmpty else { return nil }
    if last - first > begun {
      return "\(begun) updates have begun, but \(count) went from \(first) to \(last)"
    }
    guard last - first < returned else { return nil }
    return "\(returned) updates have returned, but \(count) went from \(first) to \(last)"
  }

  private mutating func changed(_ from: Trace.Value, _ to: Trace.Value) {
    guard let new = number(in: to) else { return }
    last = new
    guard first == nil else { return }
    let start = number(in: from) ?? new
    first = start
    group = Group(start: start, returned: group.returned, isShared: group.isShared)
  }

  private func number(in value: Trace.Value) -> Int? {
    guard case .int(let number) = part.flatMap({ value[$0] }) ?? value else { return nil }
    return number
  }

  private mutating func began(_ action: Trace.Action) {
    if underWay.isEmpty { endGroup() }
    begun += 1
    underWay.insert(action.label)
    if underWay.count > 1 { group.isShared = true }
  }

  private mutating func ended(_ action: Trace.Action, _ outcome: Trace.Outcome) {
    underWay.remove(action.label)
    guard case .returned = outcome else { return }
    returned += 1
    group.returned += 1
  }

  private mutating func endGroup() {
    if last - group.start < group.returned {
      if group.isShared { isLostTogether = true } else { isLostAlone = true }
    }
    group = Group(start: last)
  }
}
