import Arguments
import Foundation
import SCTBench
import Simulator
import SimulatorStrategies

/// Prints, for every program of SCTBench, each of its two ports and every strategy, how many schedules it takes to the
/// first bug, on the mean over seeds, beside the published figures.
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
    let tables = options.ports.map { Table($0, options) }
    guard let file = options.markdown else { return }
    let old = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    try Markdown(tables, options).text(over: old).write(toFile: file, atomically: true, encoding: .utf8)
  }
}

/// One port of every program.
struct Table {
  let port: Port
  private(set) var rows: [Row] = []
  /// The programs that show nothing without the build flag, where the table was built without it.
  private(set) var leftOut: [String] = []

  init(_ port: Port, _ options: Options) {
    self.port = port
    write("\(port.title)\n")
    for program in port.programs where options.wants(program) {
      if program.needsAtomics, !Simulation.followsAtomics {
        leftOut.append(program.name)
        continue
      }
      let row = Row(program, options)
      write("\(row.text)\n")
      rows.append(row)
    }
    if let shortfall { write("\(shortfall)\n") }
  }

  /// Which programs are left out, and why; nil where none is.
  var shortfall: String? {
    guard !leftOut.isEmpty else { return nil }
    return "Left out, because their bugs show only where atomics are scheduling points: "
      + leftOut.joined(separator: ", ")
      + ". Build with \(Options.flags) for all."
  }

  /// At once, because a row takes long.
  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// How threads and what they share are written.
enum Port: String, CaseIterable {
  /// Threads are tasks that suspend at each access.
  case tasks
  /// Threads are tasks that do not suspend, and meet at locks and atomics.
  case threads

  var programs: [SCTProgram] { self == .tasks ? SCTProgram.all : SCTProgram.allOfThreads }

  var title: String {
    switch self {
    case .tasks: "Tasks that suspend, whole steps"
    case .threads: "Locks and atomics, steps that overlap"
    }
  }
}

/// What the command line asks for.
struct Options {
  var seeds = 200
  var cap = 10_000
  var filter: String?
  var markdown: String?
  var strategies = SCTTable.strategies
  var ports = Port.allCases

  init(_ words: some Sequence<String>) throws(OptionError) {
    var arguments = Arguments(words)
    while let option = arguments.next() {
      switch option {
      case "--seeds": seeds = try arguments.count(of: option, from: 1)
      case "--cap": cap = try arguments.count(of: option, from: 1)
      case "--filter": filter = try arguments.value(of: option)
      case "--markdown": markdown = try arguments.value(of: option)
      case "--strategies": strategies = try arguments.value(of: option).split(separator: ",").map(String.init)
      case "--port":
        let name = try arguments.value(of: option)
        guard let port = Port(rawValue: name) else { throw .other("no port is named \(name)") }
        ports = [port]
      default: throw .other("unknown option \(option); \(Self.usage)")
      }
    }
    for name in strategies where Strategies.Named.named(name) == nil {
      throw .other("no strategy is named \(name)")
    }
  }

  static let usage =
    "usage: sct-table [--seeds N] [--cap SCHEDULES] [--filter TEXT] [--strategies A,B] [--port tasks|threads] "
    + "[--markdown FILE]"

  /// With these the compiler tells atomics, and no sanitizer is linked.
  static let flags = "-Xswiftc -Xfrontend -Xswiftc -sanitize=thread"

  func wants(_ program: SCTProgram) -> Bool { filter.map { program.name.contains($0) } ?? true }

  /// The command that repeats what this run says of a port, from the folder of the package.
  func command(_ port: Port) -> String {
    var words = ["swift run -c release"]
    if Simulation.followsAtomics { words.append("--scratch-path .build-atomics \(Self.flags)") }
    words.append("sct-table --seeds \(seeds) --cap \(cap)")
    words.append("--port \(port.rawValue)")
    if strategies != SCTTable.strategies { words.append("--strategies \(strategies.joined(separator: ","))") }
    if let filter { words.append("--filter \(filter)") }
    if let markdown { words.append("--markdown \(markdown)") }
    return words.joined(separator: " ")
  }
}
