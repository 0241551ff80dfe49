import Foundation
import Simulator
import Testing

@testable import ScenarioFiles
@testable import Scenarios

@Suite struct CommandLineToolTests {
  /// What a tool wrote, kept for a test.
  final class Recorder {
    var output = ""
    var errors = ""
  }

  /// Keeps what it is asked for and claims that all was as expected.
  final class RecordingEngine: ScenarioEngine {
    var ran: RunRequest?
    var replayed: ReplayRequest?
    var searched: [Scenario] = []
    /// What `outcomes` answers of each variant that violates something.
    var violated: [String: [String]] = [:]
    var notJudged: [String: String] = [:]

    func outcomes(
      of scenarios: [Scenario], _ settings: PoolSettings, on terminal: Terminal
    ) -> [[SeenOutcome]] {
      searched = scenarios
      return scenarios.map { scenario in
        scenario.expectations.map { expectation in
          SeenOutcome(
            variant: expectation.variant,
            outcome: violated[expectation.variant].map { .violates($0) } ?? .holds,
            notJudged: notJudged[expectation.variant])
        }
      }
    }

    func run(_ request: RunRequest, on terminal: Terminal) -> ToolStatus {
      ran = request
      return .asExpected
    }

    func explain(
      _ descriptors: [SystemDescriptor], _ entries: [RunRequest.Entry], on terminal: Terminal
    ) -> [SystemExplanation] {
      descriptors.map { SystemExplanation($0, []) }
    }

    func audit(_ scenarios: [Scenario], inDetail: Bool, on terminal: Terminal) -> ToolStatus { .asExpected }

    func replay(_ request: ReplayRequest, on terminal: Terminal) -> ToolStatus {
      replayed = request
      return .notAsExpected
    }
  }

  let recorder = Recorder()
  let engine = RecordingEngine()

  func simrun(
    _ arguments: String..., systems: [SystemDescriptor] = [.inbox, .counter],
    engine: (any ScenarioEngine)? = nil
  ) -> ToolStatus {
    let recorder = recorder
    let terminal = Terminal(write: { recorder.output += $0 }, complain: { recorder.errors += $0 })
    let tool = CommandLineTool(
      vocabulary: Vocabulary(systems: systems), engine: engine ?? self.engine, terminal: terminal,
      listedFile: "no such file")
    return tool.run(arguments)
  }

  /// Writes a file, hands its path over and removes it.
  func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    let url = FileManager.default.temporaryDirectory.appending(path: "scenarios-\(UUID().uuidString).json")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
  }

  func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  @Test func `run hands checked scenarios to the engine, searched as the command line says`() throws {
    try withFile(ExampleFile.text) { path in
      #expect(simrun(path, "--seed=9", "--filter", "leaving*") == .asExpected)
      let entry = try #require(engine.ran?.entries.first)
      #expect(entry.file == path)
      #expect(entry.scenario.search.seed == 9)
      #expect(entry.scenario.search.schedules == 1000)
    }
  }

  @Test func `nothing runs when one of the files is wrong`() throws {
    try withFile(ExampleFile.text) { good in
      try withFile("{}") { bad in
        #expect(simrun("run", good, bad) == .usage)
        #expect(engine.ran == nil)
        #expect(recorder.errors.hasPrefix("\(bad):1:1: error: a scenario file has no \"version\""))
      }
    }
  }

  @Test func `a filter that matches nothing is an error`() throws {
    try withFile(ExampleFile.text) { path in
      #expect(simrun(path, "--filter=leaving-while-loadin") == .usage)
      #expect(recorder.errors.contains("did you mean \"leaving-while-loading\"?"))
    }
  }

  @Test func `only the variants that are to hold run where that is asked for`() throws {
    try withFile(ExampleFile.text) { path in
      #expect(simrun(path, "--holding") == .asExpected)
      let entries = try #require(engine.ran?.entries)
      #expect(entries.allSatisfy { $0.scenario.expectations.map(\.variant) == ["hardened"] })
      #expect(!entries.isEmpty)
    }
  }

  @Test func `it is an error where no variant is to hold`() throws {
    let text = ExampleFile.with(#""hardened": "holds""#, as: #""hardened": ["no-orphaned-write"]"#)
    try withFile(text) { path in
      #expect(simrun(path, "--holding") == .usage)
      #expect(recorder.errors.contains("no variant of these scenarios is to hold"))
      #expect(engine.ran == nil)
    }
  }

  @Test func `replay hands the schedule to the engine and returns its status`() throws {
    try withFile(ExampleFile.text) { path in
      #expect(simrun("replay", path, "leaving-while-loading", "naive", "t") == .notAsExpected)
      #expect(engine.replayed?.variant == "naive")
      #expect(engine.replayed?.token == "t")
    }
  }

  @Test func `replay refuses names that do not exist`() throws {
    try withFile(ExampleFile.text) { path in
      #expect(simrun("replay", path, "leaving-while-loding", "naive", "t") == .usage)
      #expect(simrun("replay", path, "leaving-while-loading", "naiv", "t") == .usage)
      #expect(recorder.errors.contains("did you mean \"leaving-while-loading\"?"))
      #expect(recorder.errors.contains("did you mean \"naive\"?"))
    }
  }

  @Test func `an engine that fails is the simulator's failure, not a verdict`() throws {
    try withFile(ExampleFile.text) { path in
      #expect(simrun(path, engine: FailingEngine()) == .failure)
      #expect(recorder.errors.hasPrefix("simrun: out of order"))
      #expect(recorder.output.isEmpty)
    }
  }

  @Test func `check reports all files`() throws {
    try withFile(ExampleFile.text) { good in
      #expect(simrun("check", good) == .asExpected)
      #expect(recorder.output == "\(good): 1 scenario, no errors\n")
      #expect(simrun("check", good, "/does/not/exist.json", "/") == .usage)
      #expect(recorder.errors.contains("/does/not/exist.json: no such file"))
      #expect(recorder.errors.contains("/: is a directory"))
    }
  }

  @Test func `check says what to write for a word that is called something else now`() throws {
    let former = ExampleFile.with(#""schedules": 1000"#, as: #""schedules": 1000, "steps": "whole""#)
    try withFile(former) { path in
      #expect(simrun("check", path) == .asExpected)
      #expect(
        recorder.output
          == "\(path):15:68: note: \"whole\" is now called \"atomic\"; write that, it means the same\n"
          + "\(path): 1 scenario, no errors\n")
    }
  }

  @Test func `a file without a name is an error`() {
    #expect(simrun("check", "") == .usage)
    #expect(recorder.errors == "simrun: the name of a file is empty; name one\n")
  }

  @Test(arguments: [[""], ["", "a.json"], ["help", ""]])
  func `an empty argument is told what may be in its place`(arguments: [String]) {
    let tool = CommandLineTool(
      vocabulary: .test, engine: engine,
      terminal: Terminal(write: { _ in }, complain: { [recorder] in recorder.errors += $0 }))
    #expect(tool.run(arguments) == .usage)
    #expect(
      recorder.errors.hasPrefix(
        "simrun: an empty argument names no command and no file; commands: \"run\", \"fuzz\", "),
      "\(recorder.errors)")
  }

  @Test func `the error about an empty file says how a file begins`() throws {
    try withFile("") { path in
      #expect(simrun("check", path) == .usage)
      #expect(recorder.errors.hasPrefix("\(path):1:1: error: the file is empty"))
    }
  }

  @Test func `help fits 80 columns and names every command`() {
    for name in [nil] + CommandName.allCases.map({ Optional($0) }) {
      let lines = HelpText.of(name).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
    }
    #expect(CommandName.allCases.allSatisfy { HelpText.of(nil).contains("  \($0.rawValue) ") })
    for name in [nil, .merge] as [CommandName?] {
      #expect(Option.all(of: name).allSatisfy { HelpText.of(name).contains($0.rawValue) })
    }
  }

  @Test func `list shows a line for each system, or every name of one, in 80 columns`() {
    #expect(simrun("list") == .asExpected)
    let lines = recorder.output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("counter  ") } == 1)
    #expect(lines.last == "simrun list SYSTEM explains one of them.")
    #expect(simrun("list", "inbox-refresh") == .asExpected)
    for name in [
      "naive", "staleAfter", "letter", "GET /inbox", "offline", "torn", "settles-within", "deadlock",
    ] {
      #expect(recorder.output.contains("  \(name)") || recorder.output.contains(", \(name)"), "\(name)")
    }
    #expect(recorder.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(simrun("list", "conuter") == .usage)
    #expect(recorder.errors.contains("did you mean \"counter\"?"))
  }

  @Test func `a page of Markdown has every name of its system`() {
    #expect(simrun("list", "--markdown", "inbox-refresh") == .asExpected)
    #expect(recorder.output.hasPrefix("# inbox-refresh\n"))
    let inbox = SystemDescriptor.inbox
    let names = inbox.actions.map(\.name) + inbox.fakes.map(\.name) + inbox.invariants.map(\.name)
    for name in names + ["deadlock"] {
      #expect(recorder.output.contains("`\(name)`"), "\(name)")
    }
    #expect(!recorder.output.contains("counter"))
  }

  @Test func `a row of the index changes when anything on the page of its system does`() {
    func rows(_ systems: SystemDescriptor...) -> [Substring] {
      recorder.output = ""
      #expect(simrun("list", "--markdown", systems: systems) == .asExpected)
      return recorder.output.split(separator: "\n").filter { $0.hasPrefix("| ") }
    }
    var changed = SystemDescriptor.inbox
    changed.actions[0].summary += " Or not."
    let (before, after) = (rows(.inbox, .counter), rows(changed, .counter))
    #expect(before.map { $0.hasPrefix("| inbox-refresh |") } == [false, false, true, false])
    #expect(zip(before, after).map { $0 == $1 } == [true, true, false, true])
  }

  @Test func `descriptors that contradict themselves are a failure of the tool`() {
    #expect(simrun("list", systems: [.inbox, .inbox]) == .failure)
    #expect(recorder.errors.contains("two systems named \"inbox-refresh\""))
  }

  @Test(arguments: ["0", "-1", "ten", "18446744073709551616"])
  func `an environment variable that is no number is refused before anything runs`(value: String) {
    for variable in Explorer.ProcessLimits.Variable.allCases {
      recorder.errors = ""
      let terminal = Terminal(write: { _ in }, complain: { [recorder] in recorder.errors += $0 })
      let tool = CommandLineTool(
        vocabulary: .test, engine: engine, terminal: terminal, environment: [variable.rawValue: value])
      #expect(tool.run(["schema"]) == .usage)
      #expect(
        recorder.errors.hasPrefix("simrun: \(variable.rawValue): found \"\(value)\"; allowed: a whole number")
      )
    }
  }

  @Test func `a closed pipe ends quietly, a full disk does not`() {
    let recorder = recorder
    func status(_ fault: OutputFault) -> ToolStatus {
      let terminal = Terminal(
        write: { _ throws(OutputFault) in throw fault }, complain: { recorder.errors += $0 })
      return CommandLineTool(vocabulary: .test, engine: engine, terminal: terminal).run(["schema"])
    }
    #expect(status(.closed) == .closedPipe)
    #expect(recorder.errors.isEmpty)
    #expect(status(.failed(reason: "disk full")) == .failure)
    #expect(recorder.errors == "simrun: cannot write to standard output: disk full\n")
  }
}

private struct FailingEngine: ScenarioEngine {
  func outcomes(
    of scenarios: [Scenario], _ settings: PoolSettings, on terminal: Terminal
  ) throws -> [[SeenOutcome]] { throw OutOfOrder() }

  func audit(_ scenarios: [Scenario], inDetail: Bool, on terminal: Terminal) -> ToolStatus { .asExpected }

  func explain(
    _ descriptors: [SystemDescriptor], _ entries: [RunRequest.Entry], on terminal: Terminal
  ) -> [SystemExplanation] { [] }

  struct OutOfOrder: Error, CustomStringConvertible { let description = "out of order" }

  func run(_ request: RunRequest, on terminal: Terminal) throws -> ToolStatus { throw OutOfOrder() }
  func replay(_ request: ReplayRequest, on terminal: Terminal) throws -> ToolStatus { throw OutOfOrder() }
}
