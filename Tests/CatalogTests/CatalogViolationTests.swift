import Dispatch
import Simulator
import Synchronization
import TestEffort
import Testing

@testable import Catalog
@testable import ScenarioFiles
@testable import Scenarios

/// What the catalog's scenarios report when they break.
@Suite struct `The catalog's violations` {
  @Test func `each is reproduced ten times`() {
    for finding in CatalogFinding.all {
      for violation in finding.report.violations {
        #expect(violation.shrinking?.reproduced == 10, "\(finding.scenario.name) \(violation.invariant)")
      }
    }
  }

  @Test func `each is named, as its variant says`() {
    for finding in CatalogFinding.all {
      for violation in finding.report.violations {
        let stated = finding.variant.diagnoses[violation.invariant] ?? []
        #expect(
          violation.diagnosis.map(stated.contains) ?? false,
          "\(finding.scenario.name) \(finding.variant.name) \(violation.invariant): \(violation.diagnosis?.name ?? "unclassified")"
        )
      }
    }
  }

  @Test func `each that is of a bound tells it`() {
    for finding in CatalogFinding.all {
      let bounds = finding.scenario.checks.compactMap { check in
        if case .duration(let bound)? = check.parameter {
          (check.invariant, bound.duration.shortText)
        } else {
          nil
        }
      }
      for violation in finding.report.violations {
        for (invariant, bound) in bounds where invariant == violation.invariant {
          #expect(violation.message.hasSuffix(" \(bound)"), "\(finding.scenario.name): \(violation.message)")
        }
      }
    }
  }

  @Test func `none has more deviations than the search found, and one or none is proved minimal`() {
    for finding in CatalogFinding.all {
      for violation in finding.report.violations {
        guard let shrinking = violation.shrinking else { continue }
        let left = violation.token.schedule.deviations.count
        #expect(left <= shrinking.originalSchedule.deviations.count)
        guard left <= 1, case .exhausted = shrinking.minimality else { continue }
        Issue.record("\(finding.scenario.name) \(violation.invariant): \(shrinking)")
      }
    }
  }

  /// A timer that fires within its range has two of them, which decide one thing: it is put off, and then it fires.
  @Test func `each has at most three deviations, one that ends what another has put off not counted`() {
    for finding in CatalogFinding.all {
      for violation in finding.report.violations {
        let count = violation.token.schedule.deviations.count
        let told = violation.shrinking?.deviations ?? []
        let ends = told.count { $0.hasPrefix("after step ") && $0.contains(" instead of ") }
        let putOff = told.count { $0.hasPrefix("at step ") && $0.contains(" instead of ") }
        #expect(told.count == count && ends <= putOff)
        #expect(
          count - ends <= 3,
          "\(finding.scenario.name) \(finding.variant.name) \(violation.invariant): \(violation.token)")
      }
    }
  }

  /// The shrinker's word for it, and a search that knows nothing of it: of all schedules with a deviation
  /// fewer none violates the same, where 2,000 schedules suffice to try them.
  @Test func `each is minimal, and a search of all schedules with fewer deviations agrees`() {
    let findings = CatalogFinding.all
    let searched = Mutex(0)
    let wrong = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: findings.count) { index in
      let finding = findings[index]
      for violation in finding.report.violations {
        let name =
          "\(finding.scenario.name) \(finding.variant.name) \(violation.invariant): \(violation.token)"
        if case .exhausted = violation.shrinking?.minimality { wrong.withLock { $0.append(name) } }
        let count = violation.token.schedule.deviations.count
        guard count > 0 else { continue }
        let smaller = finding.searched(deviations: count - 1)
        guard smaller.coverage != nil else { continue }
        searched.withLock { $0 += 1 }
        if smaller.hasViolation(of: violation.invariant) { wrong.withLock { $0.append(name) } }
      }
    }
    #expect(wrong.withLock(\.self) == [])
    #expect(searched.withLock(\.self) >= tries(1, all: 100))
  }

  @Test func `a cancel line may come everywhere, and its points are counted`() throws {
    let text = """
      { "version": 1, "scenarios": [ {
        "name": "everywhere", "about": "A cancel at each point.", "system": "cancel-mid-write",
        "world": { "store": { "write": { "delay": "1s" }, "transaction": { "delay": "3s" } } },
        "script": [ { "do": "postpone", "as": "save" }, { "cancel": "save", "at": "everywhere" } ],
        "check": [ "all-or-nothing" ], "search": { "schedules": 100 },
        "expect": { "naive": [ "all-or-nothing" ], "hardened": "holds" } } ] }
      """
    let vocabulary = Vocabulary(systems: CatalogSystems.all.map { $0.descriptor })
    let file = try ScenarioFile(Array(text.utf8), named: "test", in: vocabulary)
    let result = ScenarioRunner(scenario: file.scenarios[0], type: CancelMidWrite.self).run()
    #expect(ScenarioReport(result, file: "test", ReportConditions()).isAsExpected)
    let coverage = result.variants.last?.report.cancellations
    #expect((coverage?.points ?? 0) > 5)
    #expect(coverage?.points == coverage?.covered)
    #expect(throws: Diagnostics.self) {
      let wrong = text.replacing(#""as": "save""#, with: #""as": "save", "at": "everywhere""#)
      _ = try ScenarioFile(Array(wrong.utf8), named: "test", in: vocabulary)
    }
  }

  @Test func `each is shown within eighty columns, except the line that replays it`() {
    for finding in CatalogFinding.all {
      for violation in finding.report.violations {
        let lines = violation.description.split(separator: "\n")
        for line in lines where !line.contains("debug/") && !line.contains("release/") {
          #expect(line.count <= 80, "\(line)")
        }
      }
    }
  }
}
