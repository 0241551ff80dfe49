import Simulator
import Testing

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

  @Test func `each is named as its variant says, or not at all`() {
    for finding in CatalogFinding.all {
      for violation in finding.report.violations {
        let stated = finding.variant.races[violation.invariant] ?? []
        let isAsStated = violation.race.map(stated.contains) ?? stated.isEmpty
        #expect(
          isAsStated,
          "\(finding.scenario.name) \(finding.variant.name) \(violation.invariant): \(violation.race?.name ?? "unclassified")"
        )
      }
    }
  }

  @Test func `none has more deviations than the search found, and one or none is proved minimal`() {
    for finding in CatalogFinding.all {
      for violation in finding.report.violations {
        guard let shrinking = violation.shrinking else { continue }
        let left = violation.token.schedule.deviations.count
        #expect(left <= shrinking.found.deviations.count)
        guard left <= 1, case .exhausted = shrinking.minimality else { continue }
        Issue.record("\(finding.scenario.name) \(violation.invariant): \(shrinking)")
      }
    }
  }

  @Test func `each has at most three deviations`() {
    for finding in CatalogFinding.all {
      for violation in finding.report.violations {
        #expect(
          violation.token.schedule.deviations.count <= 3,
          "\(finding.scenario.name) \(finding.variant.name) \(violation.invariant): \(violation.token)")
      }
    }
  }

  /// Where a search of all schedules with one deviation fewer is affordable, it finds nothing.
  @Test func `what is called minimal is minimal`() {
    var proved = 0
    for finding in CatalogFinding.all {
      let violations = finding.report.violations.filter {
        if case .exhausted = $0.shrinking?.minimality { return false }
        return $0.token.schedule.deviations.count > 1
      }
      for count in Set(violations.map(\.token.schedule.deviations.count)) {
        let runner = ScenarioRunner(scenario: finding.scenario, type: finding.scenario.type)
        var explorer = runner.explorer(finding.variant.name)
        explorer.strategy = DelayBounded(atMost: count - 1)
        explorer.budget.exhaustsDeviations = nil
        explorer.budget.schedules = 1_500
        explorer.budget.shrinking = 0
        let smaller = explorer.explore()
        guard smaller.exhaustion != nil else { continue }
        for violation in violations where violation.token.schedule.deviations.count == count {
          proved += 1
          #expect(
            !smaller.hasViolation(of: violation.invariant),
            "\(finding.scenario.name) \(finding.variant.name): \(violation.token)")
        }
      }
    }
    #expect(proved >= 10)
  }

  @Test(arguments: ["naive", "published"])
  func `with room enough each is proved minimal`(variant: String) throws {
    let scenario = try #require(Catalogued.scenarios.first { $0.name == "same-thing-at-once-anytime" })
    var explorer = ScenarioRunner(scenario: scenario, type: SameThingAtOnce.self).explorer(variant)
    explorer.budget.shrinking = 4_000
    explorer.budget.stopsAfter = ["no-orphaned-write"]
    for violation in explorer.explore().violations {
      guard case .exhausted = violation.shrinking?.minimality else { continue }
      Issue.record("\(violation.invariant): \(violation.token)")
    }
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
    let catalog = Catalog(systems: CatalogSystems.all.map { $0.card })
    let file = try ScenarioFile(Array(text.utf8), named: "test", in: catalog)
    let result = ScenarioRunner(scenario: file.scenarios[0], type: CancelMidWrite.self).run()
    #expect(result.isAsExpected)
    let coverage = result.variants.last?.report.cancellations
    #expect((coverage?.points ?? 0) > 5)
    #expect(coverage?.points == coverage?.covered)
    #expect(throws: Diagnostics.self) {
      let wrong = text.replacing(#""as": "save""#, with: #""as": "save", "at": "everywhere""#)
      _ = try ScenarioFile(Array(wrong.utf8), named: "test", in: catalog)
    }
  }

  @Test func `each is told within eighty columns, the line to replay it excepted`() {
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
