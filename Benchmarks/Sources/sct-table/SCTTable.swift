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

  init(_ arguments: some Sequence<String>) throws(OptionError) {
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      guard let value = rest.next() else { throw OptionError(text: "\(option) needs a value; \(Self.usage)") }
      switch option {
      case "--seeds": seeds = try Self.count(value, option)
      case "--cap": cap = try Self.count(value, option)
      case "--filter": filter = value
      case "--markdown": markdown = value
      case "--strategies": strategies = value.split(separator: ",").map(String.init)
      default: throw OptionError(text: "unknown option \(option); \(Self.usage)")
      }
    }
    for name in strategies where Strategies.Named.named(name) == nil {
      throw OptionError(text: "no strategy is named \(name)")
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

  private static func count(_ text: String, _ option: String) throws(OptionError) -> Int {
    guard let count = Int(text), count > 0 else {
      throw OptionError(text: "\(option) needs a whole number above 0, not \(text)")
    }
    return count
  }
}

struct OptionError: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
