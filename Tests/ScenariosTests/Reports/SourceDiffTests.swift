import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct SourceDiffTests {
  private static let naive = """
    import Foundation

    /// Adds up.
    final class NaiveCounter {
      var count = 0

      func add() async {
        let old = count
        await pause()
        count = old + 1
      }
    }
    """

  private static let hardened = """
    /// Adds up in one step.
    final class HardenedCounter {
      var count = 0

      func add() async {
        do {
          count += 1  // guard: one-step => let old = count; count = old + 1
          await pause()
        }
      }
    }

    // Not guards: the clause.
    """

  private static let diff = SourceDiff(
    from: SourceCode(naive, prefix: "Naive"), to: SourceCode(hardened, prefix: "Hardened"),
    paths: ("Naive.swift", "Hardened.swift"))

  @Test func `the lines of code that differ are shown, with where they stand`() {
    #expect(
      Self.diff.text == [
        "--- Naive.swift", "+++ Hardened.swift", "@@ -8 +6 @@ func add() async {", "-    let old = count",
        "+    do {", "+      count += 1  // guard: one-step", "       await pause()", "-    count = old + 1",
        "+    }",
      ])
    #expect(Self.diff.changes == 5)
  }

  @Test func `a comment, an indentation and a variant's name are no difference`() {
    let same = SourceDiff(
      from: SourceCode("// a\nfinal class NaiveBox { NaiveKey() }", prefix: "Naive"),
      to: SourceCode("  final class HardenedBox { HardenedKey() }  // b", prefix: "Hardened"),
      paths: ("a", "b"))
    #expect(same.changes == 0)
    let other = SourceDiff(
      from: SourceCode("let isNaive = Naive.self", prefix: "Naive"),
      to: SourceCode("let isHardened = Hardened.self", prefix: "Hardened"), paths: ("a", "b"))
    #expect(other.changes == 2)
  }

  @Test func `file names begin with the variant, up to what they share`() {
    #expect(SourceCode.prefixes("NaiveInbox", "HardenedInbox") == ("Naive", "Hardened"))
    #expect(SourceCode.prefixes("NaiveRateCache", "HardenedRateActor") == ("", ""))
    #expect(SourceCode.prefixes("OneAtATimeStore", "HardenedStore") == ("OneAtATime", "Hardened"))
  }

  @Test func `a guard is told with its place and its reason, and a source that is not here is said to be`()
    throws
  {
    let variants: [SystemDescriptor.Variant] = [
      .init("naive", "", diagnoses: ["a": []]), .init("hardened", ""),
    ]
    let lesson = SystemDescriptor.Lesson(
      origin: "", sources: ["naive": ["no such file.swift"], "hardened": ["SourceDiffTests.swift"]])
    let found = FoundLesson(lesson, of: variants)
    #expect(found.missing?.hasSuffix("Reports/no such file.swift") == true)
    #expect(found.fixes.isEmpty && found.guards.isEmpty && found.folder == nil)
    let own = FoundLesson(
      SystemDescriptor.Lesson(
        origin: "", sources: ["naive": ["MergeTests.swift"], "hardened": ["SourceDiffTests.swift"]],
        guards: ["one-step": "Otherwise one is lost."]), of: variants)
    #expect(own.folder == "Tests/ScenariosTests/Reports")
    let guarded = try #require(own.guards.first)
    #expect(guarded.name == "one-step")
    #expect(guarded.place.hasPrefix("Tests/ScenariosTests/Reports/SourceDiffTests.swift:"))
    #expect(guarded.reason == "Otherwise one is lost.")
    #expect(own.fixes.map(\.title) == ["The fix, from naive to hardened"])
  }
}
