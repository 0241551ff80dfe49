import ScenarioFiles

extension ReportFormat {
  /// The report as one document, as `simrun schema report` describes it.
  static let json = ReportFormat(name: "json", explainsAll: true) { $0.json.text + "\n" }
}

extension RunReport {
  /// The JSON Schema (draft 2020-12) of a report: its documentation, with a sentence for each key.
  static var schema: String {
    let head: JSONTree = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Report",
    ]
    return head.with(schema(nil)).text + "\n"
  }
}
