import ScenarioFiles
import Simulator

/// The result of a scenario with each of its variants.
struct ScenarioReport: Equatable, Sendable {
  /// The file in which it stands, as it was named.
  let file: String
  /// Where it begins there.
  let position: SourcePosition
  let name: String
  let about: String
  let system: String
  /// How it was searched.
  let search: Search
  /// Everything that it only seems to test, a sentence each.
  let untested: [String]
  /// Whether `untested` and what is outdated fail it.
  let isStrict: Bool
  /// In the order of the file.
  let variants: [VariantReport]
  /// What no execution of the shards that are held made use of; nil where no shard is missing.
  var unused: [Unused]?

  /// Whether it does not fail the run.
  var isAsExpected: Bool { variants.allSatisfy(\.isAsExpected) && !failsUntested }

  /// Whether it is made up and tries all stories within a bound. What it leaves untested no such story meets, and its verdict
  /// names the bound; the stories that are drawn go beyond it.
  var isBounded: Bool { file == MadeUp.file && search.isOfStories }

  /// Whether it fails because something was never put to the test.
  var failsUntested: Bool { isStrict && !untested.isEmpty && !isBounded }

  /// What it only seems to test; nil where there is nothing.
  var untestedText: String? {
    if untested.isEmpty { return nil }
    return (isBounded ? "beyond this bound: " : "not tested: ") + untested.joined(separator: "; ")
  }

  /// Whether it fails the run only because something could not be judged.
  var lacksOnlyJudgment: Bool {
    variants.contains(where: \.isNotJudged) && variants.allSatisfy(\.isAsExpectedSoFar)
      && !failsUntested
  }

  /// Whether a known violation of it is gone.
  var isOutdated: Bool { variants.contains(where: \.isOutdated) }

  /// What the stories of all its variants have tried; nil where none is made up, or shards are missing.
  var stories: StoryCoverage? {
    unused == nil ? StoryCoverage.joined(variants.compactMap(\.stories)) : nil
  }

  var schedules: Int { variants.reduce(0) { $0 + $1.schedules } }
  var steps: Int { variants.reduce(0) { $0 + $1.steps } }
  var duration: Duration { variants.reduce(.zero) { $0 + $1.duration } }
}
