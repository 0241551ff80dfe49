import Foundation
import Testing

@testable import ScenarioFiles
@testable import Scenarios

// `simrun expect`, of an engine that says what it is told to.
extension CommandLineToolTests {
  private static let unsaid = ExampleFile.with(
    #""expect": { "naive": ["nothing-after-dismissal", "no-orphaned-write"], "hardened": "holds" },\#n  "#,
    as: "")

  @Test func `expect fills in what a scenario does not say, and a file without it still cannot run`() throws {
    try withFile(Self.unsaid) { path in
      engine.violated = ["naive": ["settles-within"]]
      #expect(simrun("run", path) == .usage)
      #expect(recorder.errors.contains(#"has no "expect""#), "\(recorder.errors)")
      #expect(simrun("expect", path) == .asExpected)
      #expect(read(path) == Self.unsaid)
      #expect(
        recorder.output.contains(
          "\n  naive violates settles-within, though it is meant to hold\n  hardened holds\n"))
      #expect(
        recorder.output.hasSuffix(
          "nothing was written; --write writes it. To see how it breaks, write \"holds\" in its place and run the file\n"
        ))
      recorder.output = ""
      #expect(simrun("expect", "--write", path) == .asExpected)
      #expect(
        read(path)
          == ExampleFile.with(
            #"["nothing-after-dismissal", "no-orphaned-write"], "hardened""#,
            as: #"[ "settles-within" ], "hardened""#))
      #expect(recorder.output.contains("written to \(path): 2 expectations; read them"))
      #expect(simrun("run", path) == .asExpected)
    }
  }

  @Test func `expect never changes what a file says unless it is asked to, and says so`() throws {
    try withFile(ExampleFile.text) { path in
      engine.violated = ["hardened": ["no-orphaned-write"]]
      #expect(simrun("expect", "--write", path) == .asExpected)
      #expect(engine.searched.isEmpty)
      #expect(
        recorder.output
          == "left as they are: 1 scenario, which says it of every variant; --replace looks again\n")
      #expect(read(path) == ExampleFile.text)
      #expect(simrun("expect", "--replace", "--write", path) == .asExpected)
      let text = read(path)
      #expect(
        text
          == ExampleFile.with(
            #""naive": ["nothing-after-dismissal", "no-orphaned-write"], "hardened": "holds""#,
            as: #""naive": "holds", "hardened": [ "no-orphaned-write" ]"#))
      #expect(
        recorder.output.contains(
          "  naive holds; the file says: violates nothing-after-dismissal, no-orphaned-write\n"))
      #expect(recorder.output.contains("though it is meant to hold; the file says: holds\n"))
      recorder.output = ""
      #expect(simrun("expect", "--replace", "--write", path) == .asExpected)
      #expect(!recorder.output.contains("written to"))
      #expect(read(path) == text)
    }
  }

  @Test func `only the variants are looked at of which nothing is said`() throws {
    let text = ExampleFile.with(#", "hardened": "holds""#, as: "")
    try withFile(text) { path in
      #expect(simrun("expect", "--write", path) == .asExpected)
      #expect(engine.searched.map { $0.expectations.map(\.variant) } == [["hardened"]])
      #expect(read(path) == ExampleFile.text)
    }
  }

  @Test func `nothing is written of a variant that was not judged`() throws {
    try withFile(Self.unsaid) { path in
      engine.notJudged = ["naive": "killed"]
      #expect(simrun("expect", "--write", path) == .failure)
      #expect(recorder.output.contains("naive NOT JUDGED, nothing is written of it: killed"))
      let text = read(path)
      #expect(text?.contains(#""expect": { "hardened": "holds" },"#) == true)
    }
  }

  @Test func `a file that would be wrong is not written`() throws {
    let text = Self.unsaid.replacing(
      #""replays": {"#, with: #""untested": { "hardened": [ "no-orphaned-write" ] }, "replays": {"#)
    try withFile(text) { path in
      engine.violated = ["hardened": ["no-orphaned-write"]]
      #expect(simrun("expect", "--write", path) == .failure)
      #expect(recorder.errors.contains("nothing was written to \(path), which says otherwise elsewhere"))
      #expect(recorder.errors.contains("unknown variant \"hardened\""), "\(recorder.errors)")
      #expect(read(path) == text)
    }
    try withFile("{ \"version\": 1, \"scenarios\": [ {") { path in
      #expect(simrun("expect", "--write", path) == .usage)
      #expect(recorder.errors.contains("\(path):1:"))
      #expect(read(path) == "{ \"version\": 1, \"scenarios\": [ {")
    }
  }
}
