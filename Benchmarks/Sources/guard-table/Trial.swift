import Foundation

/// Undoes the guards round by round.
struct Trial {
  let guards: [Guard]
  let scenarios: Scenarios
  let tree: Tree
  /// How many stories `simrun fuzz` draws of each system, in place of its scenarios; nil for these.
  let stories: Int?
  private var notices: [String: Notice] = [:]

  init(guards: [Guard], scenarios: Scenarios, tree: Tree, stories: Int?) {
    self.guards = guards
    self.scenarios = scenarios
    self.tree = tree
    self.stories = stories
  }

  /// The rows in the order of the guards; each is told as soon as it is known.
  mutating func run(_ tell: (Row) -> Void) throws -> [Row] {
    let bySystem = Dictionary(grouping: guards, by: \.system)
    let rounds = bySystem.values.map(\.count).max() ?? 0
    for round in 0..<rounds {
      let undone = bySystem.keys.sorted().compactMap { system in
        bySystem[system].flatMap { $0.indices.contains(round) ? $0[round] : nil }
      }
      try play(try compiling(undone, tell), tell)
    }
    try tree.write(guards, undoing: [])
    return guards.map { Row(undone: $0, notice: notices[key($0)] ?? .nobody) }
  }

  /// Those that build; the compiler has noticed the others.
  private mutating func compiling(_ undone: [Guard], _ tell: (Row) -> Void) throws -> [Guard] {
    var left = undone
    while true {
      try tree.write(guards, undoing: left)
      let refused = try tree.build()
      if refused.isEmpty { return left }
      let guilty = left.filter { one in one.edits.contains { refused.contains($0.file) } }
      guard !guilty.isEmpty else {
        throw Failure(description: "the build fails in \(refused), where no guard was undone")
      }
      for one in guilty { note(.compiler, of: one, tell) }
      left.removeAll { one in guilty.contains { key($0) == key(one) } }
    }
  }

  private mutating func play(_ undone: [Guard], _ tell: (Row) -> Void) throws {
    for one in undone { note(try notice(of: one), of: one, tell) }
  }

  private func notice(of one: Guard) throws -> Notice {
    let judges = scenarios.of(one.system.descriptorName)
    guard !judges.isEmpty else {
      throw Failure(
        description: "no scenario is about \(one.system.descriptorName), which \(one.system) should be")
    }
    if let stories {
      let result = try tree.playStories(of: one.system.descriptorName, stories)
      if let (invariant, schedule) = Self.unexpected(in: result.output) {
        return .story(invariant: invariant, schedule: schedule)
      }
      return result.status > 3 ? .trap("fuzz", status: result.status) : .nobody
    }
    for scenario in judges {
      let result = try tree.play(scenario)
      if let (invariant, schedule) = Self.unexpected(in: result.output) {
        return .scenario(scenario, invariant: invariant, schedule: schedule)
      }
      if result.status > 3 { return .trap(scenario, status: result.status) }
    }
    return .nobody
  }

  /// What the run says was not expected of the hardened variant.
  private static func unexpected(in output: String) -> (invariant: String, schedule: String)? {
    let lines = output.split(separator: "\n")
    let words = lines.joined(separator: " ").split(separator: " ")
    guard let start = words.indices.first(where: { words[$0...].starts(with: ["NOT", "EXPECTED:"]) }) else {
      return nil
    }
    let invariant = words[start + 2].trimmingCharacters(in: CharacterSet(charactersIn: ",;"))
    let title = lines.first { $0.contains(" · \(invariant) · ") && $0.contains(", schedule ") }
    let schedule = title.flatMap { $0.range(of: "schedule ").map { String(title![$0.upperBound...]) } }
    return (invariant, schedule ?? "")
  }

  private mutating func note(_ notice: Notice, of one: Guard, _ tell: (Row) -> Void) {
    notices[key(one)] = notice
    tell(Row(undone: one, notice: notice))
  }

  private func key(_ one: Guard) -> String { one.system + "/" + one.name }
}

extension String {
  /// `InboxRefresh` as its descriptor calls it: `inbox-refresh`.
  fileprivate var descriptorName: String {
    reduce(into: "") { name, letter in
      if letter.isUppercase, !name.isEmpty { name += "-" }
      name += letter.lowercased()
    }
  }
}
