extension CommandLineTool {
  /// `simrun run`: reads everything before anything is run.
  func run(_ options: RunOptions) throws -> ToolStatus {
    guard let files = load(options.files) else { return .usage }
    let entries = files.flatMap { file in
      file.scenarios.map { scenario in
        var scenario = scenario
        scenario.search = scenario.search.overridden(by: options.overrides)
        return RunRequest.Entry(file: file.name, scenario: scenario)
      }
    }
    let request = RunRequest(entries: try matching(options.filter, entries), isStrict: options.isStrict)
    return try engine.run(request, on: terminal)
  }

  private func matching(
    _ filter: Glob?, _ entries: [RunRequest.Entry]
  ) throws(CommandLineFault) -> [RunRequest.Entry] {
    guard let filter else { return entries }
    let matching = entries.filter { filter.matches($0.scenario.name) }
    guard !matching.isEmpty else {
      throw .nothingMatches(filter.pattern, names: entries.map(\.scenario.name))
    }
    return matching
  }

  /// `simrun replay`: names are checked here, the schedule is the engine's.
  func replay(_ options: ReplayOptions) throws -> ToolStatus {
    guard let files = load([options.file]) else { return .usage }
    let names = files.flatMap { $0.scenarios.map(\.name) }
    guard let scenario = files.lazy.flatMap(\.scenarios).first(where: { $0.name == options.scenario }) else {
      throw CommandLineFault.unknownName(.scenario, options.scenario, allowed: names)
    }
    let variants = catalog.system(scenario.system)?.variants.map(\.name) ?? []
    guard variants.contains(options.variant) else {
      throw CommandLineFault.unknownName(.variant, options.variant, allowed: variants)
    }
    if let flaw = catalog.tokenFlaw(options.token) {
      throw CommandLineFault.badToken(options.token, flaw: flaw)
    }
    let request = ReplayRequest(
      file: options.file, scenario: scenario, variant: options.variant, token: options.token)
    return try engine.replay(request, on: terminal)
  }
}
