import ScenarioFiles
import Simulator

/// The result of a scenario with each of its variants.
struct ScenarioReport: ReportObject {
  var file = ""
  var position = SourcePosition(line: 1, column: 1)
  var name = ""
  var about = ""
  var system = ""
  /// How it was searched.
  var search = Search()
  var untested: [Unused] = []
  var unused: [Unused]?
  var variants: [VariantReport] = []
  /// Whether `untested` and what is outdated fail it, as the run says.
  var isStrict = false

  static let about = "A scenario, played with each variant of its system."
  static let keys = list {
    key("file", \.file, "The file of the scenario, as it was named.")
    key("line", \.position.line, "The line in that file, from 1.")
    key("column", \.position.column, "The column in Unicode scalars, from 1.")
    key("name", \.name, "The name, which is unique in the run.")
    key("about", \.about, "What a user of the app would see go wrong.")
    key("system", \.system, "The system that is played.")
    key("seed", \.search.seed, "The seed of its random choices.")
    key("strategy", \.search.strategy, "The strategy that picked at each choice.")
    key("budget", \.search.schedules, "The number of schedules that a variant may have.")
    derived("asExpected", \.isAsExpected, "Whether it does not fail the run.")
    key("untested", \.untested, "The parts of it that no execution has tested.")
    key("variants", \.variants, "The variants, in the order of the file.")
    key(
      "unused", \.unused,
      "The parts that no execution of these shards has used; absent if no shard is missing.")
    derived("milliseconds", \.milliseconds, "How long it took, in real time.")
  }

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
    return (isBounded ? "beyond this bound: " : "not tested: ") + untested.sentences.joined(separator: "; ")
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
  var milliseconds: Int? {
    let times = variants.compactMap(\.milliseconds)
    return times.isEmpty ? nil : times.reduce(0, +)
  }
}

extension Unused: ReportObject {
  init() { self.init(text: "") }

  static let about = "A part of a scenario that was not tested."
  static let keys = list {
    key("name", \.name, "Its name in a scenario file, under \"untested\".")
    key("kind", \.kind, "The way in which it is untested.")
    key("variant", \.variant, "The variant that does not test it; absent if no variant does.")
    key("text", \.text, "What never happened, in words.")
    key(
      "within", \.within,
      "The name of what would have had to happen first. If that is in the list, this one goes without saying."
    )
  }
}

extension Unused.Kind: ReportWord {}
