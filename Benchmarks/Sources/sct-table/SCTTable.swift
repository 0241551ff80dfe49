import Arguments
import Foundation
import SCTBench
import Simulator

/// Prints, for every program of SCTBench that is ported and every strategy, how many schedules it takes to the first
/// bug, on the mean over seeds, beside the published figures.
@main struct SCTTable {
  static let strategies = ["portfolio", "surw", "pct", "pos", "urw", "random", "feedback"]

  static func main() throws {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      FileHandle.standardError.write(Data("sct-table: \(error)\n".utf8))
      exit(2)
    }
    var rows: [Row] = []
    for program in SCTProgram.all where options.wants(program) {
      let row = Row(program, options)
      print(row.text)
      rows.append(row)
    }
    guard let file = options.markdown else { return }
    try Markdown(rows, options).text.write(toFile: file, atomically: true, encoding: .utf8)
  }
}

/// What the command line asks for.
struct Options {
  var seeds = 200
  var cap = 10_000
  var filter: String?
  var markdown: String?
  var strategies = SCTTable.strategies

  init(_ words: some Sequence<String>) throws(OptionError) {
    var arguments = Arguments(words)
    while let option = arguments.next() {
      switch option {
      case "--seeds": seeds = try arguments.count(of: option, from: 1)
      case "--cap": cap = try arguments.count(of: option, from: 1)
      case "--filter": filter = try arguments.value(of: option)
      case "--markdown": markdown = try arguments.value(of: option)
      case "--strategies": strategies = try arguments.value(of: option).split(separator: ",").map(String.init)
      default: throw .other("unknown option \(option); \(Self.usage)")
      }
    }
    for name in strategies where Strategies.Named.named(name) == nil {
      throw .other("no strategy is named \(name)")
    }
  }

  static let usage =
    "usage: sct-table [--seeds N] [--cap SCHEDULES] [--filter TEXT] [--strategies A,B] [--markdown FILE]"

  func wants(_ program: SCTProgram) -> Bool { filter.map { program.name.contains($0) } ?? true }

  /// The command that repeats this run, from the folder of the package.
  var command: String {
    var words = ["swift run -c release sct-table --seeds \(seeds) --cap \(cap)"]
    if strategies != SCTTable.strategies { words.append("--strategies \(strategies.joined(separator: ","))") }
    if let filter { words.append("--filter \(filter)") }
    if let markdown { words.append("--markdown \(markdown)") }
    return words.joined(separator: " ")
  }
}
