import Foundation

extension CommandLineTool {
  /// `simrun list`: the whole catalog in short, or one system's story and all that its card says.
  func list(_ name: String?) throws -> ToolStatus {
    guard let scenarios = try listedScenarios() else { return .usage }
    guard let name else {
      for card in catalog.systems { try terminal.write(CatalogText(card: card, scenarios: scenarios).text) }
      return .asExpected
    }
    guard let card = catalog.system(name) else {
      throw CommandLineFault.unknownName(.system, name, allowed: catalog.systems.map(\.name))
    }
    let own = scenarios.filter { $0.scenario.system == name }
    if !own.isEmpty {
      try engine.tell(card, own, on: terminal)
    } else {
      try terminal.line(TwoColumns.wrapped("\(card.name): \(card.summary)").joined(separator: "\n"))
    }
    try terminal.write(CardText(card: card, catalog: catalog).text)
    return .asExpected
  }

  /// The scenarios of the file that is listed, none when there is no such file here; nil when something is wrong with it.
  private func listedScenarios() throws -> [RunRequest.Entry]? {
    guard FileManager.default.fileExists(atPath: listedFile) else { return [] }
    return load([listedFile])?.flatMap { file in
      file.scenarios.map { RunRequest.Entry(file: file.name, scenario: $0) }
    }
  }
}
