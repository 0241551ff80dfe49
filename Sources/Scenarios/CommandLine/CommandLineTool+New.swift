import ScenarioFiles
import Simulator
import SimulatorFiles

extension CommandLineTool {
  /// `simrun new`: a scenario of a system to start from, with what its variants are seen to do in it.
  func new(_ options: NewOptions) throws -> ToolStatus {
    guard let descriptor = vocabulary.system(options.system) else {
      throw CommandLineFault.unknownName(
        .system, options.system, allowed: vocabulary.systems.map(\.name))
    }
    if let path = options.path { try refuseToReplace(path) }
    var first = FirstScenario(descriptor: descriptor)
    let file = try ScenarioFile(
      Array(first.text.utf8), named: options.path ?? Self.unwritten, in: vocabulary)
    first.outcomes = try engine.outcomes(of: file.scenarios, PoolSettings(), on: terminal).flatMap(\.self)
    guard let path = options.path else {
      try terminal.write(first.text)
      return status(of: first.outcomes)
    }
    try refuseToReplace(path)
    do throws(WriteFault) {
      try AtomicFile(path).write(Array(first.text.utf8))
    } catch {
      terminal.error("\(error)")
      return .failure
    }
    let name = file.scenarios.first?.name ?? ""
    try terminal.line(
      "\(Echo.plain(path)): the scenario \(name), to start from; \"simrun \(Echo.plain(path))\" runs it")
    return status(of: first.outcomes)
  }

  /// What an error calls the text that is printed.
  private static let unwritten = "the new scenario"

  /// A file that a person may have written is not replaced.
  func refuseToReplace(_ path: String) throws(CommandLineFault) {
    if SourceFile.isThere(path) { throw .recordedOver(path) }
    do throws(WriteFault) { try AtomicFile(path).check() } catch { throw .unwritable(error) }
  }

  /// Says of which variants not all was seen.
  private func status(of outcomes: [SeenOutcome]) -> ToolStatus {
    for outcome in outcomes {
      guard let reason = outcome.notJudged else { continue }
      terminal.error("\(outcome.variant) was not judged, and \"holds\" is only a guess: \(reason.visible)")
    }
    return outcomes.contains { $0.notJudged != nil } ? .failure : .asExpected
  }
}
