import ScenarioFiles
import Simulator
import SimulatorReports

/// One schedule as a page for a browser.
enum ReplayPage {
  static func of(_ schedule: ShownSchedule) -> String {
    let (scenario, file) = (schedule.scenario, schedule.file)
    let shown = Page.Variant(
      schedule.result, named: schedule.variant, isRecorded: schedule.isRecorded
    ) { token in
      ReplayCommand.line(file, scenario.name, schedule.variant, token)
    }
    let page = Page(
      title: "\(scenario.name) · \(schedule.variant)",
      lines: [schedule.result.pageVerdict(isRecorded: schedule.isRecorded)],
      isAsExpected: shown.mark == .holds,
      subjects: [
        Page.Subject(
          name: scenario.name, about: scenario.about,
          place: "\(file) · \(scenario.system)", variants: [shown])
      ])
    return page.html
  }
}
