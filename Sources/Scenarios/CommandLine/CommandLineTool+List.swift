import Foundation

extension CommandLineTool {
  /// `simrun list`: a summary of all systems, or the explanation and the descriptor of one.
  func list(_ name: String?) throws -> ToolStatus {
    guard let scenarios = try listedScenarios() else { return .usage }
    guard let name else {
      for descriptor in vocabulary.systems {
        try terminal.write(
          SystemSummaryText(descriptor: descriptor, scenarios: scenarios.map(\.scenario)).text)
      }
      return .asExpected
    }
    guard let descriptor = vocabulary.system(name) else {
      throw CommandLineFault.unknownName(.system, name, allowed: vocabulary.systems.map(\.name))
    }
    let own = scenarios.filter { $0.scenario.system == name }
    if !own.isEmpty {
      try engine.explain(descriptor, own, on: terminal)
    } else {
      try terminal.line(
        TwoColumns.wrapped("\(descriptor.name): \(descriptor.summary)").joined(separator: "\n"))
    }
    try terminal.write(SystemDescriptorText(descriptor: descriptor, vocabulary: vocabulary).text)
    return .asExpected
  }

  /// The scenarios of the file that is listed, none when there is no such file here; nil when something is
  /// wrong with it.
  private func listedScenarios() throws -> [RunRequest.Entry]? {
    guard FileManager.default.fileExists(atPath: listedFile) else { return [] }
    return load([listedFile])?.flatMap { file in
      file.scenarios.map { RunRequest.Entry(file: file.name, scenario: $0) }
    }
  }
}
