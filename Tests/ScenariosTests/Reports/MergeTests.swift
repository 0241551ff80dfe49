import Foundation
import Simulator
import SimulatorReports
import SimulatorStrategies
import Testing

@testable import Scenarios

@Suite struct `Joining the reports of shards` {
  private let five = ShardedReport.five

  @Test(arguments: ReportFormat.all)
  func `a report comes back from JSON as it was`(format: ReportFormat) throws {
    let whole = ShardedReport.joined(five)
    for report in five + [five[0].joined(with: five[3]), whole] {
      let read = try ShardedReport.read(ShardedReport.json(report))
      #expect(format.render(read) == format.render(report))
    }
  }

  @Test(arguments: ReportFormat.all)
  func `neither order nor grouping changes a byte`(format: ReportFormat) {
    let wanted = format.render(ShardedReport.joined(five))
    var random = Strategies.SplitMix64(state: 1)
    for _ in 0..<40 {
      var rest = five.shuffled(using: &random)
      while rest.count > 1 {
        let one = rest.remove(at: Int.random(in: rest.indices, using: &random))
        let place = Int.random(in: rest.indices, using: &random)
        rest[place] =
          Bool.random(using: &random) ? one.joined(with: rest[place]) : rest[place].joined(with: one)
      }
      #expect(format.render(rest[0]) == wanted)
    }
  }

  @Test func `counts are those of the whole`() throws {
    let whole = ShardedReport.joined(five)
    let hardened = whole.scenarios.map { $0.variants[1] }
    let bounded = try #require(hardened[1].coverage)
    #expect(hardened.map(\.schedules) == [150, 200 + bounded.schedules, 5])
    #expect(bounded.goal.value == .deviations(atMost: 1))
    #expect(hardened.prefix(2).map(\.processes.shards) == [5, 5])
    #expect(whole.scenarios[0].variants[0].violations.map(\.number) == [0, 0])
    #expect(whole.scenarios[0].variants[0].replays.count == 2)
  }

  @Test func `what only all shards can tell is told of all`() {
    #expect(five.allSatisfy { $0.scenarios[0].untested.isEmpty && !$0.scenarios[0].variants[1].isOutdated })
    let whole = ShardedReport.joined(five)
    #expect(whole.scenarios[0].variants[1].gone == ["no-orphaned-write"])
    #expect(whole.scenarios[1].untested == [])
    let nothing = ["network GET /profile was never called", "no-orphaned-write never had anything to judge"]
    #expect(whole.scenarios[2].untested.sentences == nothing)
    #expect(five.allSatisfy { $0.scenarios[2].untested.isEmpty })
  }

  @Test func `what goes without saying is told as soon as it does not`() {
    let call = Unused(name: "GET /profile", text: "never called")
    let reply = Unused(name: "GET /profile: ok", text: "never answered", within: call.name)
    #expect([call, reply].toTell == [call])
    #expect([reply].toTell == [reply])
  }

  @Test func `the report of a shard, of some and of all are valid`() throws {
    let schema = try JSONSchema(RunReport.schema)
    for report in [five[0], five[2].joined(with: five[1]), ShardedReport.joined(five)] {
      #expect(try schema.faults(in: ShardedReport.json(report)) == [])
    }
  }

  @Test func `a report says in words which shards it holds`() {
    #expect(
      RunText.heading(five[1]).last
        == "shard 2 of 5: it began with nothing learned, and learned only from itself")
    let some = ShardedReport.joined([five[4], five[0], five[1]])
    #expect(
      RunText.heading(some).dropFirst().joined(separator: " ")
        == "shards 1-2, 5 of 5: each began with nothing learned, and learned only from itself; missing: 3-4")
    #expect(
      RunText.heading(ShardedReport.joined(five)).last
        == "5 shards: each began with nothing learned, and learned only from itself")
  }

  @Test func `of a violation that several have found the one with the lowest number stays`() throws {
    let whole = ShardedReport.joined(five)
    for (index, scenario) in whole.scenarios.enumerated() {
      for (place, variant) in scenario.variants.enumerated() {
        for violation in variant.violations {
          let all = five.flatMap { $0.scenarios[index].variants[place].violations }
            .filter { $0.invariant == violation.invariant }
          #expect(all.compactMap(\.number).min() == violation.number)
          let first = try #require(all.first { $0.number == violation.number })
          #expect(first == violation)
        }
      }
    }
  }

  @Test func `coverage counts for nothing where shards were not alike`() throws {
    let whole = ShardedReport.joined(five).scenarios[1].variants[1]
    #expect(whole.shortfall == nil)
    var odd = five
    odd[2] = Self.overlapping(odd[2])
    var texts: Set<String> = []
    for reports in [odd, odd.reversed(), [odd[2], odd[0], odd[4], odd[1], odd[3]]] {
      let variant = ShardedReport.joined(reports).scenarios[1].variants[1]
      #expect(variant.coverage == nil)
      texts.insert(try #require(variant.shortfall?.text))
    }
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("not all schedules with at most 1 deviation: ") == true)
  }

  /// The same as if its steps had overlapped.
  private static func overlapping(_ report: RunReport) -> RunReport {
    let text = ShardedReport.json(report)
      .replacing("\"atomicSteps\": true", with: "\"atomicSteps\": false")
      .replacing("\"preemptibleSteps\": false", with: "\"preemptibleSteps\": true")
    return (try? ShardedReport.read(text)) ?? report
  }

  @Test func `where behaviors are too many to be kept, there are at least so many`() throws {
    let text = ShardedReport.json(five[2])
    let hardened = try #require(text.range(of: "\"hardened\"")?.lowerBound)
    let place = try #require(text[hardened...].firstRange(of: /"behaviors": [0-9]+/))
    let more = text.replacingCharacters(
      in: place, with: "\"mayHaveMoreBehaviors\": true,\n\"behaviors\": 70")
    let reports = [five[0], five[1], try ShardedReport.read(more), five[3], five[4]]
    let joined = ShardedReport.joined(reports)
    #expect(RunText.verdict(joined.scenarios[0].variants[1]).contains(", at least 70"))
    #expect(joined.scenarios[0].variants[1].goodTuringEstimate == nil)
    #expect(ShardedReport.json(joined) == ShardedReport.json(ShardedReport.joined(reports.reversed())))
  }

  /// The reply may come when the user leaves: the hardened variant holds.
  private static let ranges = """
    { "version": 1, "scenarios": [
      { "name": "slow", "about": "The user leaves.", "system": "slow-dismiss",
        "world": { "network": { "GET /profile": { "delay": "1s...5s" } }, "store": { "write": { "delay": "1s...2s" } } },
        "script": [ { "do": "open" }, { "do": "leave", "at": "2s...7s" } ],
        "check": [ "nothing-after-dismissal" ], "search": { "schedules": 40 },
        "expect": { "naive": [ "nothing-after-dismissal" ], "hardened": "holds" } } ] }
    """

  @Test func `what one shard has brought together is not left in the whole`() throws {
    let shards = ShardedReport.all(4, of: Self.ranges)
    let parts = try shards.map { try #require($0.scenarios[0].variants[1].part?.pairs) }
    #expect(parts.contains { !$0.isEmpty })
    let left = parts.map { part in part.filter { !$0.isTried }.map(\.text) }
    let tried = Set(parts.flatMap { $0.filter(\.isTried).map(\.text) })
    #expect(left.contains { $0.contains(where: tried.contains) })
    let whole = ShardedReport.joined(shards).scenarios[0].variants[1]
    let rest = Set(left.joined()).subtracting(tried).sorted()
    #expect(whole.untriedPairs?.count ?? 0 == rest.count)
    #expect(whole.untriedPairs?.examples ?? [] == rest)
    #expect(whole.part == nil)
    for report in shards {
      let read = try ShardedReport.read(ShardedReport.json(report))
      #expect(read.scenarios[0].variants[1].part?.pairs == report.scenarios[0].variants[1].part?.pairs)
    }
  }

  @Test func `pairs that no shard can have are refused`() throws {
    let text = ShardedReport.json(ShardedReport.all(4, of: Self.ranges)[0])
    let ends = try #require(text.firstRange(of: /"ends": "[0-9a-f]{32}"/))
    for wrong in ["", "xyz", String(repeating: "0", count: 32), String(repeating: "F", count: 32)] {
      let hostile = text.replacingCharacters(in: ends, with: "\"ends\": \"\(wrong)\"")
      #expect(throws: MergeFault.self) { try ShardedReport.read(hostile) }
    }
    let tried = text.replacing("\"tried\": false", with: "\"tried\": true")
    if tried != text { #expect(throws: MergeFault.self) { try ShardedReport.read(tried) } }
  }

  @Test func `hostile text comes back as it was`() throws {
    let text = "a\u{1B}[31m\"\\\u{202E}é😀\u{0}\r\n##[x] \u{10FFFF}"
    let report = SampleReport.full(
      of: text,
      in: ShardSet(count: 2, held: [1, 2], run: RunIdentity(executable: text, files: text, options: [text])))
    let read = try ShardedReport.read(ShardedReport.json(report))
    for format in ReportFormat.all { #expect(format.render(read) == format.render(report)) }
  }
}

@Suite struct `Refusing to join` {
  private let five = ShardedReport.five

  /// The fault of a merge of these texts, which stand in files named by their numbers.
  private func fault(_ texts: [String], partial: Bool = false) throws -> String {
    let folder = try TestFolder()
    for (index, text) in texts.enumerated() { try folder.write(text, as: "\(index)") }
    let files = texts.indices.map { folder.path("\($0)") }
    do throws(MergeFault) {
      _ = try Merge.report(of: files, partial: partial)
      return ""
    } catch {
      return "\(error)".replacing(folder.path(""), with: "")
    }
  }

  private var texts: [String] { five.map(ShardedReport.json) }

  @Test func `all shards are joined, and some where that is asked for`() throws {
    #expect(try fault(texts) == "")
    #expect(try fault(texts.dropLast(), partial: true) == "")
    #expect(
      try fault(Array(texts.dropLast()))
        == "shard 5 of 5 is missing; name its report too, or say --partial to join what is there")
    #expect(try fault([texts[1]]).hasPrefix("shards 1, 3-5 of 5 are missing; name their reports too"))
  }

  @Test func `no shard is joined twice`() throws {
    #expect(try fault(texts + [texts[3]]) == "5: holds shard 4, and so does 3; leave one of them out")
    let some = ShardedReport.json(five[0].joined(with: five[1]))
    #expect(try fault([some, texts[1]], partial: true).contains("holds shard 2, and so does"))
  }

  @Test(arguments: [
    (
      #""executable": "e""#, #""executable": "x""#,
      "the build differs; build once, and run that one executable everywhere"
    ),
    (#""files": "f""#, #""files": "x""#, "the scenario files differ; give all shards the same files"),
    ("--seed=1", "--seed=2", "the options differ; run all shards with the same options"),
    (#""seeds": [0, "#, #""seeds": [1, "#, "the seed differs; run all shards with the same --seed"),
    (" of 5: ", " of 6: ", "the number of shards differs; run all shards with the same N"),
    (#""name": "nobody","#, #""name": "somebody","#, "the scenarios in it differ; run its shard again"),
  ])
  func `a shard of another run is refused`(piece: String, other: String, fault: String) throws {
    var texts = texts
    try #require(texts[3].contains(piece))
    texts[3] = texts[3].replacing(piece, with: other)
    // The number of shards is there in words too.
    if piece.hasPrefix(" of") { texts[3] = texts[3].replacing(#""count": 5,"#, with: #""count": 6,"#) }
    #expect(try self.fault(texts).hasPrefix("3: is of another run than 0: \(fault)"))
  }

  @Test(arguments: [
    (
      #""version": 2,"#, #""version": 1,"#,
      "has version 1 of the format, and this tool reads version 2; run its shard again with this build"
    ),
    (
      #""version": "0.1.0""#, #""version": "0.0.9""#,
      "comes from version 0.0.9 of the tool, and this is 0.1.0; merge with"
    ),
    (#""held": [1]"#, #""held": []"#, "is no whole report in JSON: “shards.held” says what no report says"),
    (#""held": [1]"#, #""held": [6]"#, "is no whole report in JSON: “shards.held” says what no report says"),
    (
      #""held": [1]"#, #""held": [2, 2]"#,
      "is no whole report in JSON: “shards.held” says what no report says"
    ),
    (#""count": 5,"#, #""count": 0,"#, "is no whole report in JSON: “shards.count” says what no report says"),
    (
      #""failures": 0"#, #""failures": -1"#,
      "is no whole report in JSON: “scenarios."
    ),
    (#""strict": false,"#, "", "is no whole report in JSON: “strict” is missing"),
    (#""strict": false,"#, #""strict": 7,"#, "is no whole report in JSON: “strict” is of another kind"),
    (
      #""outcome": "diverged""#, #""outcome": "lost""#,
      "is no whole report in JSON: “scenarios.0.variants.0.replays."
    ),
    (
      #""recorded": []"#,
      #""recorded": [], "ending": { "reason": "signal", "signal": 15, "notBegun": 0 }"#,
      "was ended by a signal before its end; run its shard again"
    ),
  ])
  func `what is no report of a shard is refused`(piece: String, other: String, fault: String) throws {
    var changed = 0
    for text in texts where text.contains(piece) {
      changed += 1
      let hostile = text.replacing(piece, with: other)
      #expect(try self.fault([hostile], partial: true).hasPrefix("0: \(fault)"))
    }
    #expect(changed > 0)
  }

  @Test func `a report that was cut off is refused wherever it was cut`() throws {
    let text = texts[0]
    for length in stride(from: 0, to: text.utf8.count - 2, by: 997) {
      #expect(
        try fault([String(decoding: text.utf8.prefix(length), as: UTF8.self)], partial: true)
          == "0: is no whole report in JSON: it is no JSON, or only a part of it; run its shard again with "
          + "--output json=PATH")
    }
  }

  @Test func `the report of a run that was not divided is refused`() throws {
    #expect(
      try fault([ShardedReport.json(SampleReport.real)])
        == "0: is the report of a run that was not divided; make it with --shard I/N")
  }

  @Test func `a file that is not there is refused`() {
    #expect {
      try Merge.report(of: ["no such file"], partial: true)
    } throws: {
      "\($0)" == "no such file: no such file; name another, or go to where it is"
    }
  }
}
