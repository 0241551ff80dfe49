import Arguments
import Foundation
import SearchTrials
import Simulator
import TwinPrograms

/// Prints, for every program of a set and every strategy, how many schedules it takes to the first bug, over seeds, and
/// what that comes to over all programs.
///
/// Exits with 1 where a twin without a bug fails, where the fewest deviations of a program are not those that it names, or
/// where shrinking leaves more on the median.
@main struct SearchTable {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.help { return write(Options.usage) }
      if let schedules = options.silent { return check(options) { Silence($0, schedules: schedules) } }
      if options.fewest { return check(options) { Fewest($0) } }
      if options.shrinks { return printShrunk(options) }
      try printTable(options)
    } catch {
      FileHandle.standardError.write(Data("search-table: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func printTable(_ options: Options) throws {
    let rows = options.programs.map { program in
      let row = Row(program, options)
      write(row.text)
      return row
    }
    let summary = Summary(rows)
    write(summary.text)
    if let file = options.markdown {
      try Markdown(rows, summary, options).text.write(toFile: file, atomically: true, encoding: .utf8)
    }
  }

  private static func printShrunk(_ options: Options) {
    write(Shrunk.header)
    let failures = options.programs.count { program in
      let shrunk = Shrunk(program, options)
      write(shrunk.text)
      return !shrunk.reachesFewest
    }
    if failures > 0 { exit(1) }
  }

  private static func check(_ options: Options, _ check: (TwinProgram) -> any Check) {
    let failures = options.programs.count { program in
      let check = check(program)
      write("\(program.name): \(check.text)")
      return !check.passes
    }
    if failures > 0 { exit(1) }
  }

  /// At once, because a row takes long.
  private static func write(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}
