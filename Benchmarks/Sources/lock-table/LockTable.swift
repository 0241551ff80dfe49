import Arguments
import Foundation
import LockPrograms
import Simulator

/// Prints, for every small library behind a lock, how many schedules it takes to its bug, and whether the twin without the
/// bug stays silent: with default settings, without the build flag and with it.
///
/// Exits with 1 where a twin without a bug fails.
@main struct LockTable {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.help { return say(Options.usage) }
      if let name = options.figures { return try print(name, options) }
      let rows = try rows(options)
      if let file = options.markdown {
        try Markdown(rows, options).text.write(toFile: file, atomically: true, encoding: .utf8)
      }
      if rows.contains(where: { !$0.alarms.isEmpty }) { exit(1) }
    } catch {
      FileHandle.standardError.write(Data("lock-table: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func rows(_ options: Options) throws -> [Row] {
    if Simulation.followsAtomics {
      throw OptionError.other("this is the build with the flag: run the other one, with --instrumented")
    }
    let other = options.instrumented.map(OtherBuild.init)
    return try LockProgram.all.filter(options.wants).map { program in
      let row = Row(
        program: program, plain: Figures(program, options),
        instrumented: try other?.figures(of: program, options))
      say(row.text)
      return row
    }
  }

  /// What the build without the flag asks this one for.
  private static func print(_ name: String, _ options: Options) throws {
    guard Simulation.followsAtomics else { throw OptionError.other("this was built without the flag") }
    guard let program = LockProgram.all.first(where: { $0.name == name }) else {
      throw OptionError.other("no program is called \(name)")
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(Figures(program, options)))
  }

  private static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
