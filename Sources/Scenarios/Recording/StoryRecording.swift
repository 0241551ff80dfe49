import ScenarioFiles
import Simulator
import SimulatorFiles

/// Writes stories that were found as a file of ordinary scenarios. Each is played before it is written: it must show what
/// its story showed.
struct StoryRecording: Equatable, Sendable {
  /// The file to write; there is none yet.
  let path: String

  /// What has become of the stories.
  struct Result {
    var recorded: [RecordedSchedule] = []
    /// What could not be recorded, a sentence each.
    var remarks: [String] = []
    var faults: [WriteFault] = []
  }

  /// Plays scenarios and answers the result of each, in their order; fewer where it was ended.
  typealias Play = ([Scenario]) throws -> [ScenarioResult]

  /// Tells, plays and writes. Of the findings with one variant and one invariant the first is taken.
  func perform(
    _ findings: [StoryFinding], systems: [any System.Type], play: Play
  ) throws -> Result {
    var result = Result()
    let open = told(findings, systems, &result)
    let found = try shown(open, vocabulary: Vocabulary(systems: systems.map { $0.descriptor }), play)
    for (index, scenario) in open.enumerated() where found[index] == nil {
      result.remarks.append(
        Self.remark(scenario.finding, "its scenario does not show it within \(Search().schedules) schedules"))
    }
    let written = found.compactMap(\.self)
    guard !written.isEmpty else { return result }
    do throws(WriteFault) {
      try AtomicFile(path).write(Array(Self.file(written.map(\.tree)).utf8))
      result.recorded = written.flatMap { scenario in
        scenario.tokens.map {
          RecordedSchedule(
            file: path, scenario: scenario.name, variant: scenario.finding.variant, token: $0)
        }
      }
    } catch {
      result.faults.append(error)
    }
    return result
  }

  /// Their stories; what cannot be told is remarked.
  private func told(
    _ findings: [StoryFinding], _ systems: [any System.Type], _ result: inout Result
  ) -> [StoryScenario] {
    var open: [StoryScenario] = []
    var seen: Set<[String]> = []
    for finding in findings
    where seen.insert([finding.scenario.system, finding.variant, finding.invariant]).inserted {
      guard let type = systems.first(where: { $0.descriptor.name == finding.scenario.system }),
        let token = try? Schedule.Token(parsing: finding.token)
      else { continue }
      var runner = ScenarioRunner(scenario: finding.scenario, type: type)
      runner.confinement = .forReplays
      guard let story = Machine.asOutside({ runner.tell(finding.variant, token) })?.story else {
        result.remarks.append(Self.remark(finding, "its execution ends before it can be told"))
        continue
      }
      if story.acts.isEmpty {
        result.remarks.append(
          Self.remark(finding, "the user does nothing in its story, and a script does something"))
      } else {
        open.append(StoryScenario(finding: finding, story: story, descriptor: type.descriptor))
      }
    }
    return open
  }

  /// Each in the first timing in which it shows what it is to show; nil where it does in none.
  private func shown(
    _ scenarios: [StoryScenario], vocabulary: Vocabulary, _ play: Play
  ) throws -> [StoryScenario?] {
    var found = [StoryScenario?](repeating: nil, count: scenarios.count)
    for timing in StoryScenario.Timing.allCases {
      let left = scenarios.indices.filter { found[$0] == nil }
      if left.isEmpty { break }
      let timed = left.map { index in
        var scenario = scenarios[index]
        scenario.timing = timing
        return scenario
      }
      let checked = try ScenarioFile(Array(Self.file(timed.map(\.tree)).utf8), named: path, in: vocabulary)
      let results = try play(checked.scenarios)
      for (place, result) in results.enumerated() {
        found[left[place]] = timed[place].shown(by: result)
      }
    }
    return found
  }

  private static func remark(_ finding: StoryFinding, _ why: String) -> String {
    "not recorded: \(finding.invariant) of \(finding.scenario.system) \(finding.variant): \(why); it is replayed by "
      + finding.replayCommand
  }

  private static func file(_ scenarios: [JSONTree]) -> String {
    let file: JSONTree = ["version": .integer(ScenarioFile.version), "scenarios": .array(scenarios)]
    return file.text + "\n"
  }
}

extension StoryScenario {
  /// The same with what `result` has shown; nil where that is not what it is to show.
  fileprivate func shown(by result: ScenarioResult) -> StoryScenario? {
    guard let own = result.variants.first(where: { $0.variant == finding.variant }),
      let violation = own.report.violations.first(where: { $0.invariant == finding.invariant })
    else { return nil }
    var scenario = self
    scenario.message = "So \(finding.variant) violates \(finding.invariant): \(violation.message)"
    scenario.tokens = violation.isReducible ? ["\(violation.token)"] : []
    scenario.outcomes = result.variants.map { variant in
      let names = variant.report.violations.map(\.invariant)
      return (variant.variant, names.isEmpty ? .holds : .violates(names))
    }
    scenario.untested = result.variants.compactMap { variant in
      guard variant.report.violations.isEmpty, let untested = variant.untested else { return nil }
      let names = untested.toTell.map(\.name)
      return names.isEmpty ? nil : (variant.variant, names)
    }
    return scenario
  }
}
