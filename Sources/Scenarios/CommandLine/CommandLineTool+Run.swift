import ScenarioFiles
import SimulatorFiles

extension CommandLineTool {
  /// `simrun run`: reads everything before anything is run.
  func run(_ options: RunOptions) throws -> ToolStatus {
    guard let files = load(options.files, annotating: options.outputs.format == .github) else {
      return .usage
    }
    let entries = files.flatMap { file in
      file.scenarios.map { scenario in
        var scenario = scenario
        scenario.search = scenario.search.overridden(by: options.overrides)
        return RunRequest.Entry(file: file.name, scenario: scenario)
      }
    }
    let named = try matching(options.filters, entries)
    let matching = options.isHoldingOnly ? try holding(named) : named
    let recording = options.records ? Recording(of: files, played: Set(matching.map(\.file))) : nil
    try refuseUnwritable(options.outputs, recording, besides: files)
    let division = try options.shards.map {
      Division(choice: $0, run: try RunIdentity(options, files))
    }
    let request = RunRequest(
      entries: matching, isStrict: options.isStrict, pool: options.pool, outputs: options.outputs,
      division: division, recording: recording)
    return try engine.run(request, on: terminal)
  }

  /// Refuses files that cannot be written before the search begins, which may take long.
  func refuseUnwritable(
    _ outputs: Outputs, _ recording: Recording?, besides files: [ScenarioFile]
  ) throws(CommandLineFault) {
    let read = Set(files.map { FileLink.identity(of: $0.name) })
    for output in outputs.files where read.contains(FileLink.identity(of: output.path)) {
      throw .outputOver(.scenarios, output.path)
    }
    do throws(WriteFault) {
      for output in outputs.files { try AtomicFile(output.path).check() }
      try recording?.check()
    } catch {
      throw .unwritable(error)
    }
  }

  /// The scenarios that match one of `filters`, of which each must match one. A name that was made up has that of its system
  /// in it, which matches too.
  func matching(
    _ filters: [Glob], _ entries: [RunRequest.Entry]
  ) throws(CommandLineFault) -> [RunRequest.Entry] {
    guard !filters.isEmpty else { return entries }
    let names = { (entry: RunRequest.Entry) in
      [entry.scenario.name] + (entry.file == Self.madeUp ? [entry.scenario.system] : [])
    }
    let matches = { (filter: Glob, entry: RunRequest.Entry) in
      names(entry).contains { filter.matches($0) }
    }
    if let vain = filters.first(where: { filter in !entries.contains { matches(filter, $0) } }) {
      throw .nothingMatches(vain.pattern, names: entries.flatMap(names).unique)
    }
    return entries.filter { entry in filters.contains { matches($0, entry) } }
  }

  /// The same with those variants only that are to hold.
  private func holding(_ entries: [RunRequest.Entry]) throws(CommandLineFault) -> [RunRequest.Entry] {
    let holding = entries.compactMap { entry -> RunRequest.Entry? in
      let scenario = entry.scenario.whereHolding
      return scenario.expectations.isEmpty ? nil : RunRequest.Entry(file: entry.file, scenario: scenario)
    }
    if holding.isEmpty { throw .nothingHolds }
    return holding
  }

  /// `simrun replay` and `simrun trace`: names are checked here, the schedule is the engine's.
  func replay(_ options: ReplayOptions) throws -> ToolStatus {
    guard let scenario = try scenario(options.scenario, in: options.file) else { return .usage }
    let variants = vocabulary.system(scenario.system)?.variants.map(\.name) ?? []
    guard variants.contains(options.variant) else {
      throw CommandLineFault.unknownName(.variant, options.variant, allowed: variants)
    }
    if let token = options.token, let flaw = vocabulary.tokenFlaw(token) {
      throw CommandLineFault.badToken(token, flaw: flaw)
    }
    if let page = options.page {
      let files = options.file == Self.madeUp ? [] : load([options.file]) ?? []
      try refuseUnwritable(Outputs(files: [OutputFile(format: .html, path: page)]), nil, besides: files)
    }
    let request = ReplayRequest(
      file: options.file, scenario: scenario, variant: options.variant, token: options.token,
      stories: try recording(of: options.recording), page: options.page)
    return try engine.replay(request, on: terminal)
  }

  /// `simrun audit`: every variant in the natural order, of one scenario or of all in the file.
  func audit(_ file: String?, _ name: String?) throws -> ToolStatus {
    let file = file ?? Self.defaultFile
    if let name {
      guard let scenario = try scenario(name, in: file) else { return .usage }
      return try engine.audit([scenario], inDetail: true, on: terminal)
    }
    guard let files = load([file]) else { return .usage }
    return try engine.audit(files.flatMap(\.scenarios), inDetail: false, on: terminal)
  }

  /// The scenario of that name; nil when the file has an error, which has been reported.
  private func scenario(_ name: String, in file: String) throws(CommandLineFault) -> Scenario? {
    if file == Self.madeUp { return try madeUp(name) }
    guard let files = load([file]) else { return nil }
    let scenarios = files.flatMap(\.scenarios)
    guard let scenario = scenarios.first(where: { $0.name == name }) else {
      throw .unknownName(.scenario, name, allowed: scenarios.map(\.name))
    }
    return scenario
  }
}
