import Foundation
import ScenarioFiles
import SimulatorFiles

extension CommandLineTool {
  /// `simrun list`: a line for each system, or the explanation and the descriptor of one, or either in Markdown.
  func list(_ name: String?, asMarkdown: Bool, pages folder: String?) throws -> ToolStatus {
    guard let scenarios = try listedScenarios() else { return .usage }
    if let name, vocabulary.system(name) == nil {
      throw CommandLineFault.unknownName(.system, name, allowed: vocabulary.systems.map(\.name))
    }
    let descriptors = vocabulary.systems.filter { name == nil || $0.name == name }
    if asMarkdown {
      let files = folder.map { folder in
        descriptors.map { AtomicFile(URL(filePath: folder).appending(path: "\($0.name).md").path) }
      }
      do throws(WriteFault) {
        for file in files ?? [] { try file.check() }
      } catch {
        throw CommandLineFault.unwritable(error)
      }
      let explanations = try engine.explain(descriptors, scenarios, on: terminal)
      let pages = explanations.map { SystemPage(explanation: $0, vocabulary: vocabulary).text }
      let index = CatalogIndex(
        explanations: explanations, scenarios: scenarios.map(\.scenario), vocabulary: vocabulary)
      do throws(WriteFault) {
        for (file, page) in zip(files ?? [], pages) { try file.write(Array(page.utf8)) }
      } catch {
        terminal.error("\(error)")
        return .failure
      }
      try terminal.write(name == nil ? index.text : pages.joined())
    } else if name == nil {
      try terminal.write(SystemSummaryText(descriptors: descriptors).text)
    } else {
      for explanation in try engine.explain(descriptors, scenarios, on: terminal) {
        try terminal.line(SystemExplanationText(explanation: explanation).text)
        try terminal.write(
          SystemDescriptorText(descriptor: explanation.descriptor, vocabulary: vocabulary).text)
      }
    }
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
