import ScenarioFiles

/// What the stories that were made up have tried of what they could, of one variant.
struct StoryCoverage: Codable, Equatable, Sendable {
  /// What a user may do, and a world answer.
  enum Kind: String, CaseIterable, Codable, Sendable {
    /// An action with its arguments.
    case actions
    /// An action, cancelled.
    case cancels
    /// A reply of an operation; or that there is no connection for a while.
    case answers
    /// A fault of an operation.
    case faults
    /// A setting with its value.
    case settings
    /// Two actions, of which one began before the other had ended.
    case overlaps
  }

  struct Part: Codable, Equatable, Sendable {
    var kind: Kind
    /// Sorted, as is the other.
    var tried: [String]
    var never: [String]
  }

  /// Those of which there is something to try.
  var parts: [Part]

  static func overlap(_ one: String, _ other: String) -> String {
    "\(min(one, other)) with \(max(one, other))"
  }
}

extension StoryCoverage {
  /// What both together have tried of the same scenario. It does not matter which comes first.
  func joined(with other: StoryCoverage) -> StoryCoverage {
    StoryCoverage(
      parts: zip(parts, other.parts).map { one, other in
        Part(
          kind: one.kind, tried: Set(one.tried + other.tried).sorted(),
          never: one.never.filter(other.never.contains))
      })
  }

  /// What all of them together have tried; nil where there is none.
  static func joined(_ all: [StoryCoverage]) -> StoryCoverage? {
    all.dropFirst().reduce(all.first) { $0?.joined(with: $1) }
  }
}

extension Usage {
  /// What was tried of what the stories of `scenario` can try; nil where it makes none up.
  func coverage(of scenario: Scenario) -> StoryCoverage? {
    guard scenario.isMadeUp else { return nil }
    let seen = total
    let tried: [StoryCoverage.Kind: Set<String>] = [
      .actions: seen.actions, .cancels: seen.cancels, .settings: seen.settings, .overlaps: seen.overlaps,
      .answers: Set(seen.replies.map(\.text) + (seen.hasLostConnection ? [OfflinePeriod.key] : [])),
      .faults: Set(seen.faults.map(\.text)),
    ]
    let parts = StoryCoverage.Kind.allCases.map { kind in
      let offered = Set(scenario.offered(kind)).sorted()
      let tried = tried[kind] ?? []
      return StoryCoverage.Part(
        kind: kind, tried: offered.filter(tried.contains), never: offered.filter { !tried.contains($0) })
    }
    return StoryCoverage(parts: parts.filter { !$0.tried.isEmpty || !$0.never.isEmpty })
  }
}

extension Usage.Decision {
  fileprivate var text: String { "\(operation.fake) \(operation.operation): \(name)" }
}

extension Scenario {
  /// Whether some of what the user does is made up.
  var isMadeUp: Bool { !stories.isEmpty }

  private var stories: [AnythingLine] {
    script.compactMap { if case .anything(let line) = $0 { line } else { nil } }
  }

  /// What its stories can try.
  fileprivate func offered(_ kind: StoryCoverage.Kind) -> [String] {
    switch kind {
    case .actions: stories.flatMap { $0.steps.map(\.text) }
    case .cancels: stories.filter(\.cancels).flatMap { $0.steps.filter { !$0.isRelaunch }.map(\.action) }
    case .answers:
      world.entries.flatMap { entry in entry.replies.map(entry.name(of:)) }
        + (world.offline.isEmpty ? [] : [OfflinePeriod.key])
    case .faults: world.entries.flatMap { entry in entry.faults.map(entry.name(of:)) }
    case .settings: offers.flatMap { offer in offer.values.map { "\(offer.name) \($0.shown)" } }
    case .overlaps: overlaps
    }
  }

  private var overlaps: [String] {
    let fixed = script.compactMap { if case .action(let line) = $0 { line.action } else { nil } }
    let actions = (fixed + stories.flatMap { $0.steps.map(\.action) }).unique
    let relaunch = SystemDescriptor.Action.relaunch.name
    return actions.flatMap { one in actions.map { StoryCoverage.overlap(one, $0) } }
      .filter { $0 != StoryCoverage.overlap(relaunch, relaunch) }
  }
}
