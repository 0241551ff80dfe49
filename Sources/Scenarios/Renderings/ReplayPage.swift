import Simulator

/// One replayed schedule as a page for a browser.
enum ReplayPage {
  static func of(
    _ result: Explorer.ReplayResult, _ scenario: Scenario, _ variant: String, file: String
  ) -> String {
    let shown = Page.Variant(result, named: variant) { token in
      ReplayCommand.line(file, scenario.name, variant, token)
    }
    let page = Page(
      title: "\(scenario.name) · \(variant)", lines: [result.pageVerdict],
      isAsExpected: shown.mark == .holds,
      subjects: [
        Page.Subject(
          name: scenario.name, about: scenario.about,
          place: "\(file) · \(scenario.system)", variants: [shown])
      ])
    return page.html
  }
}
