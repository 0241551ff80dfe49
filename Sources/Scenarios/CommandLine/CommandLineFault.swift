import ScenarioFiles
import Simulator
import SimulatorFiles

/// An error in a command line.
enum CommandLineFault: Error, Equatable, Sendable {
  case unknownCommand(String)
  case unknownOption(String, allowed: [String])
  case missingValue(option: String)
  case unexpectedValue(option: String)
  case badNumber(option: String, found: String, low: String, high: String)
  case badTime(option: String, found: String)
  case badVariable(Explorer.ProcessLimits.Variable, found: String)
  case unknownName(NameKind, String, allowed: [String])
  case badPattern(String)
  case nothingMatches(String, names: [String])
  case nothingHolds
  case missingOperand(String, command: CommandName)
  case extraOperand(String, command: CommandName)
  case badToken(String, flaw: String)
  case noOutputPath(String)
  case outputTwice(String)
  case outputOver(Input, String)
  case badShard(String)
  case badBound(String)
  case notTogether(OptionClash)
  case unwritable(WriteFault)
  case recordsOnlyStories
  case recordedOver(String)

  /// What is read and must not be written.
  enum Input: String, Sendable {
    case scenarios = "a scenario file of this run"
    case report = "a report that is to be merged"
  }
}

extension CommandLineFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknownCommand(let name): Self.unknownCommand(name)
    case .unknownOption(let name, let allowed):
      "unknown option \(Echo.quoted(name))\(NearestName.suggestion(for: name, in: allowed))"
    case .missingValue(let option): "\(option) needs a value, as in \(option)=VALUE"
    case .unexpectedValue(let option): "\(option) takes no value"
    case .badNumber(let option, let found, let low, let high):
      "\(option): found \(Echo.quoted(found)); allowed: a whole number from \(low) to \(high)"
    case .badTime(let option, let found):
      "\(option): found \(Echo.quoted(found)); allowed: a time such as 30s, 2m or 500ms"
    case .badVariable(let variable, let found): Self.badVariable(variable, found)
    case .unknownName(let kind, let name, let allowed):
      "unknown \(kind.rawValue) \(Echo.quoted(name))\(NearestName.suggestion(for: name, in: allowed))"
    case .badPattern(let pattern):
      "the pattern \(Echo.quoted(pattern)) has a \"[\" that is not closed; add its \"]\""
    case .nothingMatches(let pattern, let names):
      "no scenario matches \(Echo.quoted(pattern))\(NearestName.suggestion(for: pattern, in: names))"
    case .nothingHolds: "--holding: no variant of these scenarios is to hold"
    case .missingOperand(let operand, let command):
      "\(operand) is missing; usage: \(HelpText.usage(of: command))"
    case .extraOperand(let operand, let command):
      "unexpected operand \(Echo.quoted(operand)); usage: \(HelpText.usage(of: command))"
    case .badToken(let token, let flaw): "\(Echo.quoted(token)) is no replay token: \(flaw.visible)"
    case .badBound(let found): Self.badBound(found)
    case .noOutputPath(let found):
      "--output: found \(Echo.quoted(found)); allowed: FORMAT=PATH, as in --output junit=report.xml"
    case .outputTwice(let path): "--output: two reports to \(Echo.quoted(path)); give each a file of its own"
    case .outputOver(let input, let path):
      "--output: \(Echo.quoted(path)) is \(input.rawValue); name another"
    case .badShard(let found): Self.badShard(found)
    case .notTogether(let clash): "\(clash)"
    case .unwritable(let fault): "\(fault)"
    case .recordsOnlyStories: Self.onlyStories
    case .recordedOver(let path):
      "\(Echo.plain(path)): is there already, and may be a person's; name a file that is not, or remove it"
    }
  }

  private static func unknownCommand(_ name: String) -> String {
    let commands = CommandName.allCases.map(\.rawValue)
    if name.isEmpty {
      return "an empty argument names no command and no file; commands: \(Echo.list(commands))"
    }
    return "unknown command \(Echo.quoted(name))\(NearestName.suggestion(for: name, in: commands))"
      + " (a file of that name: ./\(Echo.plain(name, limit: 60)); scenarios: --filter=NAME)"
  }

  private static let onlyStories =
    "--record of a replay writes a story that was made up; schedules of a scenario file are recorded by "
    + "\"simrun run --record\""

  private static func badVariable(_ variable: Explorer.ProcessLimits.Variable, _ found: String) -> String {
    "\(variable.rawValue): found \(Echo.quoted(found)); allowed: \(variable.allowedText)"
  }

  private static func badBound(_ found: String) -> String {
    "--bound: found \(Echo.quoted(found)); allowed: how many actions (at least 1), other answers of the world and "
      + "deviations a story has at most, such as 2,1,1; or none"
  }

  private static func badShard(_ found: String) -> String {
    "--shard: found \(Echo.quoted(found)); allowed: I/N with I from 1 to N and N up to "
      + "\(ShardNumber.counts.upperBound), as in --shard 3/16"
  }
}

/// Two options that do not go together.
struct OptionClash: Equatable, Sendable, CustomStringConvertible {
  let option: Option
  let other: Option
  let reason: Reason

  enum Reason: String, Sendable {
    case machinesHaveCopies =
      "each machine has files of its own; add the tokens of the merged report to \"replays\""
    case replaysRecord =
      "no machine has all that is found; record what the merged report replays, by \"simrun replay fuzz … --record\""
    case timesDiffer = "a merge prints the same bytes whoever has run the shards"
    case oneOrAll = "the one runs one shard, the other all of them"
  }

  var description: String {
    "\(option.rawValue) does not go with \(other.rawValue): \(reason.rawValue)"
  }
}
