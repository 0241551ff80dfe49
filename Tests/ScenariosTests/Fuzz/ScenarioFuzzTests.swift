import Foundation
import Simulator
import SimulatorStrategies
import TestEffort
import Testing

@testable import ScenarioFiles
@testable import Scenarios

/// Hostile input beyond the example: real files, and what is done with what they hold.
@Suite struct CatalogFuzzTests {
  private static let files: [[UInt8]] = ["scenarios.json", "scenarios/actors.json", "scenarios/effects.json"]
    .compactMap { try? [UInt8](Data(contentsOf: Catalogued.repository.appending(path: $0))) }

  /// One scenario of a real file as a file of its own, short enough to be mutated everywhere.
  private static func scenario(_ random: inout Strategies.SplitMix64) -> [UInt8] {
    let bytes = files.randomElement(using: &random) ?? []
    let nodes = JSONReader.read(bytes).root?.members?["scenarios"]?.elements ?? []
    let range = nodes.randomElement(using: &random)?.range ?? 0..<0
    return Array(#"{ "version": 1, "scenarios": [ "#.utf8) + bytes[range] + Array(" ] }".utf8)
  }

  private static func isFit(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || $0.isVisible }
  }

  /// What is still a scenario after a mutation is played, rendered, and recorded.
  @Test(.timeLimit(.minutes(30)), arguments: Fuzzing.seedsToPlay)
  func `no mutation of a real scenario traps, in any command`(seed: UInt64) throws {
    var random = Strategies.SplitMix64(state: seed)
    var played = 0
    // A few more, where no mutation so far is still a scenario.
    for mutation in 0..<600 where mutation < 60 || played == 0 {
      let bytes = Fuzzing.mutated(Self.scenario(&random), &random)
      do throws(Diagnostics) {
        let file = try ScenarioFile(bytes, named: "t.json", in: Catalogued.vocabulary)
        guard played < 3, let scenario = file.scenarios.first else { continue }
        played += 1
        try? Self.play(scenario, bytes)
      } catch {
        #expect(!error.all.isEmpty && Self.isFit(error.description))
      }
    }
    #expect(played > 0)
  }

  private static func play(_ scenario: Scenario, _ bytes: [UInt8]) throws {
    var scenario = scenario
    scenario.search.schedules = 3
    scenario.search.exhaustDeviations = nil
    scenario.search.stepLimitPerInstant = min(scenario.search.stepLimitPerInstant, 5_000)
    let result = ScenarioRunner(scenario: scenario, type: scenario.type).run()
    var report = RunReport()
    report.seeds = [scenario.search.seed]
    report.scenarios = [ScenarioReport(result, file: "t.json", ReportConditions())]
    for format in ReportFormat.all { #expect(isFit(format.render(report))) }
    #expect(XMLTree.root(of: ReportFormat.junit.render(report)) != nil)
    #expect(try JSONSchema(RunReport.schema).faults(in: ReportFormat.json.render(report)) == [])
    let source = Recording.Source(file: "t.json", bytes: bytes)
    let recorded = try ReplayInsertion.adding(report.newlyFound, to: source)
    let again = try ScenarioFile(recorded, named: "t.json", in: Catalogued.vocabulary)
    #expect(
      again.scenarios.first?.replays.count == scenario.replays.count + report.newlyFound.count)
  }

  @Test(.timeLimit(.minutes(30)), arguments: Fuzzing.seeds)
  func `no text traps the reader of tokens, and what it reads it writes again`(seed: UInt64) {
    var random = Strategies.SplitMix64(state: seed)
    let tokens = [
      "debug/14:1/3,21:3/4#9f2c01aa", "release/#00000000", "debug/999999999:1/999999999#ffffffff",
    ]
    for _ in 0..<400 {
      let bytes = Fuzzing.mutated(Array((tokens.randomElement(using: &random) ?? "").utf8), &random)
      let text = String(decoding: bytes, as: UTF8.self)
      if let token = try? Schedule.Token(parsing: text) {
        #expect((try? Schedule.Token(parsing: "\(token)")) == token)
      } else {
        #expect(SimulatorEngine.tokenFlaw(text)?.isEmpty == false)
      }
    }
  }

  @Test(.timeLimit(.minutes(30)), arguments: Fuzzing.seeds)
  func `no pattern takes long`(seed: UInt64) {
    var random = Strategies.SplitMix64(state: seed)
    let pieces = ["*", "**", "?", "[a-z]", "[!a]", "a", "\\", "[", "]", "é", "*a*a"]
    for _ in 0..<20 {
      let pattern = (0..<Int.random(in: 0...60, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      guard let glob = Glob(pattern) else { continue }
      #expect(!glob.matches(String(repeating: "a", count: 200) + "\u{0}b") || !pattern.isEmpty)
    }
    let worst = Glob(String(repeating: "*a", count: 200) + "b")
    #expect(worst?.matches(String(repeating: "a", count: 600)) == false)
  }

  /// Schedules that some other program has left, played to real scenarios.
  @Test(.timeLimit(.minutes(30)), arguments: Fuzzing.seeds)
  func `a schedule of another program diverges, or is a hint, and nothing worse`(seed: UInt64) throws {
    var random = Strategies.SplitMix64(state: seed)
    let scenario = try #require(Catalogued.scenarios.randomElement(using: &random))
    for _ in 0..<4 {
      let variant = try #require(scenario.expectations.randomElement(using: &random)?.variant)
      let token = Self.token(&random)
      var short = Scenario(
        scenario, replaying: RecordedReplay(variant: variant, token: "\(token)", position: scenario.position))
      short.search.schedules = 2
      short.search.exhaustDeviations = nil
      let result = ScenarioRunner(scenario: short, type: scenario.type).run()
      let replayed = try #require(result.variants.first { $0.variant == variant }?.replays.first)
      switch replayed.outcome {
      // Its choices may fit by chance.
      case .diverged, .harmless: #expect(token.build == .current)
      case .hint: #expect(token.build != .current)
      case .reproduced, .unreadable: Issue.record("\(scenario.name) \(variant) \(token)")
      }
    }
  }

  private static func token(_ random: inout Strategies.SplitMix64) -> Schedule.Token {
    var position = 0
    let deviations = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      position += Int.random(in: 1...9, using: &random)
      let options = Int.random(in: 2...(Bool.random(using: &random) ? 4 : 999_999_999), using: &random)
      let taken = Int.random(in: 1..<options, using: &random)
      return Schedule.Deviation(position: position, taken: taken, options: options)
    }
    // A digest that no trace has by chance more often than once in four thousand million.
    return Schedule.Token(
      build: Int.random(in: 0..<4, using: &random) > 0
        ? .current : Schedule.Token.Build.current == .debug ? .release : .debug,
      schedule: Schedule(deviations: deviations), digest: UInt32.random(in: 0...UInt32.max, using: &random))
  }

  @Test(.timeLimit(.minutes(30)))
  func `a word that is longer than a page is reported without delay`() {
    let length = tries(1 << 13, more: 1 << 16, all: 1 << 16)
    let report = SampleReport.full(of: String(repeating: "x", count: length))
    for format in ReportFormat.all { #expect(format.render(report).utf8.count > length) }
    let event = Explorer.Timeline.Entry(
      time: .start, domain: nil, text: String(repeating: "y", count: length))
    #expect(event.text.visible.utf8.count == length)
  }
}

extension Scenario {
  /// The same scenario with one recorded schedule.
  fileprivate init(_ other: Scenario, replaying replay: RecordedReplay) {
    self.init(
      name: other.name, about: other.about, system: other.system, settings: other.settings,
      world: other.world, script: other.script, checks: other.checks, search: other.search,
      expectations: other.expectations, replays: [replay], position: other.position)
  }
}
