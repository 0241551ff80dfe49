internal import CProcesses
import Foundation
public import ScenarioFiles
import Simulator

/// The whole of `simrun`: a package with systems of its own makes its own tool from it in a few lines.
///
/// ```swift
/// import Scenarios
///
/// CommandLineTool.main(systems: [Inbox.self, Profile.self])
/// ```
public struct CommandLineTool {
  /// The version that `--version` prints.
  public static let version = ToolIdentity.version

  let vocabulary: Vocabulary
  let engine: any ScenarioEngine
  let terminal: Terminal
  var environment = ProcessInfo.processInfo.environment
  /// The file whose scenarios `list` shows, if it exists.
  var listedFile = Self.defaultFile

  /// Performs the command that the process's arguments name, and ends the process.
  ///
  /// The exit status is 0 if all is as expected, 1 if something is not, 2 if the command line or a file is
  /// wrong, 3 if something could not be judged or the simulator itself failed.
  public static func main(systems: [any System.Type]) -> Never {
    // A worker has the signals of any other program.
    if let worker = Worker(systems: systems) { worker.work() }
    cp_signals_of_writing_ignored()
    let vocabulary = Vocabulary(systems: systems.map { $0.descriptor }, tokenFlaw: SimulatorEngine.tokenFlaw)
    let tool = CommandLineTool(
      vocabulary: vocabulary, engine: SimulatorEngine(systems: systems, startsWorkers: true),
      terminal: .standard)
    exit(tool.run(Array(Executable.arguments.dropFirst())).rawValue)
  }

  /// Performs the command that the arguments name; every error ends here as a line on standard error and a
  /// status.
  func run(_ arguments: [String]) -> ToolStatus {
    do {
      try refuseFlaws()
      let command = try Command(arguments, in: vocabulary)
      try refuseBadVariables()
      return try perform(command)
    } catch let fault as CommandLineFault {
      terminal.error("\(fault)\nTry '\(ToolIdentity.name) --help'.")
      return .usage
    } catch let interruption as Interruption {
      return interruption.status
    } catch OutputFault.closed {
      return .closedPipe
    } catch OutputFault.failed(let reason) {
      terminal.error("cannot write to standard output: \(Echo.plain(reason))")
      return .failure
    } catch {
      terminal.error(Echo.plain("\(error)", limit: 2000))
      return .failure
    }
  }

  private func perform(_ command: Command) throws -> ToolStatus {
    switch command {
    case .help(let name): try terminal.write(HelpText.of(name))
    case .version: try terminal.line("\(ToolIdentity.name) \(Self.version)")
    case .schema(.scenarios): try terminal.write(ScenarioSchema(vocabulary: vocabulary).text)
    case .schema(.system(let name)):
      try terminal.write(ScenarioSchema(vocabulary: vocabulary.only(name)).text)
    case .schema(.report): try terminal.write(RunReport.schema)
    case .new(let options): return try new(options)
    case .expect(let options): return try expect(options)
    case .exits: try terminal.write(ExitsText.text)
    case .list(let system, let isMarkdown, let pages):
      return try list(system, asMarkdown: isMarkdown, pages: pages)
    case .check(let files): return try check(files)
    case .run(let options): return try run(options)
    case .fuzz(let options): return try fuzz(options)
    case .replay(let options), .trace(let options): return try replay(options)
    case .merge(let options): return try merge(options)
    case .audit(let file, let scenario): return try audit(file, scenario)
    }
    return .asExpected
  }

  private func refuseBadVariables() throws(CommandLineFault) {
    for variable in Explorer.ProcessLimits.Variable.allCases {
      if let found = variable.flaw(in: environment) { throw .badVariable(variable, found: found) }
    }
  }

  /// A descriptor that contradicts itself is a mistake in the program, not in a file.
  private func refuseFlaws() throws {
    let flaws = vocabulary.flaws
    if !flaws.isEmpty { throw FlawedDescriptors(flaws: flaws) }
  }
}

/// Descriptors that contradict themselves.
struct FlawedDescriptors: Error, CustomStringConvertible {
  let flaws: [DescriptorFlaw]

  var description: String { flaws.map(\.description).joined(separator: "; ") }
}
