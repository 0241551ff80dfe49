import ScenarioFiles
import Simulator

/// What one variant has left untested.
struct VariantTested: Sendable {
  let variant: String
  /// The invariants that had nothing to judge.
  let vacuous: Set<String>
  /// What no execution of it has used or judged; nil where that says nothing, because the variant is not to hold, and its
  /// search ends as soon as it has broken, or because its search was cut short.
  let untested: [Unused]?
  /// What the file says rightly stays untested.
  let mayBeUntested: [String]
}

extension VariantTested {
  /// What is wrong, except for what is `already` reported of all variants.
  func vacuities(besides already: [Unused]) -> [Unused] {
    guard let untested else { return [] }
    let (names, texts) = (Set(untested.map(\.name)), Set(already.map(\.text)))
    var found = untested.toTell.filter { !texts.contains($0.text) && !mayBeUntested.contains($0.name) }
    found += mayBeUntested.filter { !names.contains($0) }.map {
      Unused(
        name: $0, text: "\($0) was put to the test, and \"untested\" says that it is not", kind: .tested)
    }
    for index in found.indices { found[index].variant = variant }
    return found
  }
}

extension VariantResult {
  var tested: VariantTested {
    VariantTested(
      variant: variant, vacuous: report.vacuousInvariants ?? [], untested: untested,
      mayBeUntested: expectation.mayBeUntested + mustTestNothing)
  }

  /// The listed invariants of which the file says that none has anything to judge; empty if it does not say so.
  var mustTestNothing: [String] { expectation.outcome == .testsNothing ? listed : [] }

  /// True if the file says that nothing is tested, and so it is.
  var testsNothing: Bool {
    expectation.outcome == .testsNothing && Set(listed).isSubset(of: report.vacuousInvariants ?? [])
  }

  /// What no execution has used or judged; nil where that says nothing.
  var untested: [Unused]? {
    guard expectation.outcome == .holds, report.schedules > 0, !isStopped, !isNotJudged else { return nil }
    return unused + (report.vacuousInvariants ?? []).sorted().map(Unused.init(invariant:))
  }
}
