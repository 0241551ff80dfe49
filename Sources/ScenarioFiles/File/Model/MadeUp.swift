package import Simulator

/// A scenario that nobody wrote: the user does anything, the world answers anything.
package enum MadeUp: Equatable {
  /// Every story of so many actions at most, within a bound.
  case all(Int)
  /// Stories of so many actions at most, drawn by chance.
  case drawn(Int)

  /// What stands for a file where the scenario is made up.
  package static let file = "fuzz"

  private static let allName = ".all-stories-"
  private static let drawnName = ".stories-"

  /// The scenarios of a system, with the variants of `variants` only unless it is empty. Where every story is tried, only
  /// variants play that are meant to hold.
  package static func scenarios(
    of descriptor: SystemDescriptor, _ options: StoryOptions, only variants: [String]
  ) -> [Scenario] {
    var scenarios: [Scenario] = []
    if let bound = options.bound {
      var scenario = MadeUp.all(bound.actions).scenario(of: descriptor)
      scenario.search.bound = bound
      scenario.expectations.removeAll(where: \.isOpen)
      scenarios.append(scenario)
    }
    var drawn = MadeUp.drawn(options.atMost).scenario(of: descriptor)
    drawn.search.schedules = options.drawn
    scenarios.append(drawn)
    return scenarios.compactMap { scenario in
      var scenario = scenario
      scenario.search.seed = options.seed
      scenario.expectations.removeAll { !variants.isEmpty && !variants.contains($0.variant) }
      return scenario.expectations.isEmpty ? nil : scenario
    }
  }

  /// The one of this name; nil if none of `descriptor` has it.
  package init?(named name: String, of descriptor: SystemDescriptor) {
    let parts = [(Self.allName, MadeUp.all), (Self.drawnName, MadeUp.drawn)]
    for (part, make) in parts where name.hasPrefix(descriptor.name + part) {
      let rest = String(name.dropFirst((descriptor.name + part).count))
      guard let most = Int(rest), AnythingLine.atMostLimits.contains(most), String(most) == rest else {
        continue
      }
      self = make(most)
      return
    }
    return nil
  }

  /// As reports and replays call it.
  package func name(of descriptor: SystemDescriptor) -> String {
    switch self {
    case .all(let most): descriptor.name + Self.allName + "\(most)"
    case .drawn(let most): descriptor.name + Self.drawnName + "\(most)"
    }
  }

  private var atMost: Int {
    switch self {
    case .all(let most), .drawn(let most): most
    }
  }

  private var about: String {
    switch self {
    case .all: "Every short story: what the user may do, what the world may answer, and when."
    case .drawn: "Stories drawn by chance: what the user may do, what the world may answer, and when."
    }
  }

  /// The scenario, with every variant of the system.
  package func scenario(of descriptor: SystemDescriptor) -> Scenario {
    let position = SourcePosition(line: 1, column: 1)
    let line = AnythingLine(of: descriptor, atMost: atMost, at: position)
    var search = Search()
    search.until = .minutes(30)
    if case .all = self {
      search.strategy = "stories"
      search.schedules = Search.scheduleLimits.upperBound
    }
    return Scenario(
      name: name(of: descriptor), about: about, system: descriptor.name,
      settings: NamedValues(
        descriptor.settings.compactMap { setting in
          setting.defaultValue.map { NamedValues.Entry(name: setting.name, value: $0) }
        }),
      offers: SettingOffer.all(of: descriptor), world: .anything(of: descriptor), script: [.anything(line)],
      checks: descriptor.invariants.filter { $0.isForStories && !$0.isOfStructure }
        .map { Check(invariant: $0.name, parameter: $0.usual, position: position) },
      search: search,
      expectations: descriptor.variants.map {
        Expectation(
          variant: $0.name, outcome: $0.isSound ? .holds : .violates([Expectation.anything]),
          position: position, mayBeUntested: $0.isSound ? $0.untested : [])
      }, replays: [], position: position)
  }
}

/// Which stories are made up.
package struct StoryOptions: Equatable, Sendable {
  /// How many are drawn for each variant.
  package var drawn = 20_000
  package var seed: UInt64 = 0
  /// How often the user does something at most in those that are drawn.
  package var atMost = AnythingLine.usually
  /// How far those go that are all tried; nil where only those are that are drawn.
  package var bound: Strategies.StoryBound? = Strategies.StoryBound()

  package init() {}
}
