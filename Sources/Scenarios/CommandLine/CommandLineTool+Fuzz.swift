import ScenarioFiles
import Simulator

extension CommandLineTool {
  /// What stands for a file where the scenario is made up.
  static let madeUp = MadeUp.file

  /// `simrun fuzz`: a scenario for each system in which the user may do anything, as the world may.
  func fuzz(_ options: FuzzOptions) throws -> ToolStatus {
    let systems = vocabulary.systems.filter { options.systems.isEmpty || options.systems.contains($0.name) }
    let names = systems.flatMap { $0.variants.map(\.name) }
    if let unknown = options.variants.first(where: { !names.contains($0) }) {
      throw CommandLineFault.unknownName(.variant, unknown, allowed: names.unique)
    }
    let stories = try recording(of: options.recording)
    try refuseUnwritable(options.outputs, nil, besides: [])
    let scenarios = systems.flatMap { MadeUp.scenarios(of: $0, options.stories, only: options.variants) }
    let entries = try matching(
      options.filters, scenarios.map { RunRequest.Entry(file: Self.madeUp, scenario: $0) })
    let division = try options.shards.map { Division(choice: $0, run: try RunIdentity(options)) }
    let request = RunRequest(
      entries: entries, isStrict: options.isStrict,
      pool: options.pool, outputs: options.outputs, division: division, stories: stories)
    return try engine.run(request, on: terminal)
  }

  /// What writes stories to a new file of that name; nil without one. A file that a person may have written is not replaced.
  func recording(of path: String?) throws(CommandLineFault) -> StoryRecording? {
    guard let path else { return nil }
    try refuseToReplace(path)
    return StoryRecording(path: path)
  }

  /// The scenario that is made up under this name.
  func madeUp(_ name: String) throws(CommandLineFault) -> Scenario {
    for descriptor in vocabulary.systems {
      if let scenario = MadeUp(named: name, of: descriptor)?.scenario(of: descriptor) { return scenario }
    }
    throw .unknownName(
      .scenario, name,
      allowed: vocabulary.systems.flatMap { system in
        [MadeUp.all(2), .drawn(AnythingLine.usually)].map { $0.name(of: system) }
      })
  }
}
