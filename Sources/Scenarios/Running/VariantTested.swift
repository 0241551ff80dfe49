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
  /// What is wrong, a sentence each, but for what is told `already` of all variants.
  func vacuities(besides already: [String]) -> [String] {
    guard let untested else { return [] }
    let names = Set(untested.map(\.name))
    let left = untested.toTell.filter { !already.contains($0.text) && !mayBeUntested.contains($0.name) }
    return left.map { "\(variant): \($0.text)" }
      + mayBeUntested.filter { !names.contains($0) }
      .map { "\(variant): \($0) was put to the test, and \"untested\" says that it is not" }
  }
}

extension VariantResult {
  var tested: VariantTested {
    VariantTested(
      variant: variant, vacuous: report.vacuous ?? [], untested: untested,
      mayBeUntested: expectation.mayBeUntested)
  }

  /// What no execution has used or judged; nil where that says nothing.
  var untested: [Unused]? {
    guard expectation.outcome == .holds, report.schedules > 0, !isStopped, !isNotJudged else { return nil }
    return unused + (report.vacuous ?? []).sorted().map(Unused.init(invariant:))
  }
}
