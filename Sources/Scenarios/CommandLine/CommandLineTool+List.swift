extension CommandLineTool {
  /// `simrun list`: all systems in a line each, or all that one system's card says.
  func list(_ name: String?) throws {
    guard let name else {
      return try terminal.write(TwoColumns(rows: catalog.systems.map { ($0.name, $0.summary) }).text)
    }
    guard let card = catalog.system(name) else {
      throw CommandLineFault.unknownName(.system, name, allowed: catalog.systems.map(\.name))
    }
    try terminal.write(CardText(card: card, catalog: catalog).text)
  }
}
