import Foundation
import Lab
import Simulator
import SimulatorStrategies
import TwinPrograms
import Unseen

/// Prints what a schedule takes under a strategy of this package, as a multiple of what it takes under the simulator's own.
///
/// `lab-speed [TURNS]`: both strategies take turns, so that they share the moods of the machine.
@main enum LabSpeed {
  private typealias Pair = (name: String, builtIn: any SchedulingStrategy, outside: any SchedulingStrategy)

  private static let pairs: [Pair] = [("PCT", .pct(), Lab.PCT()), ("POS", .pos, Lab.POS())]
  private static let schedules = 2_000

  static func main() {
    let turns = CommandLine.arguments.dropFirst().first.map { Int($0) ?? 0 } ?? 15
    guard turns > 0 else {
      FileHandle.standardError.write(Data("lab-speed: how many turns? as in `lab-speed 15`\n".utf8))
      exit(2)
    }
    for pair in pairs {
      print("\(pair.name): µs a schedule, the simulator’s and this one, and the median of \(turns) ratios")
      let ratios = UnseenPrograms.all.map { program in
        let times = (0..<turns).map { turn in
          let seed = UInt64(turn)
          // Who comes first changes, too.
          guard turn % 2 == 0 else {
            let outside = time(program, pair.outside, seed)
            return (builtIn: time(program, pair.builtIn, seed), outside: outside)
          }
          return (builtIn: time(program, pair.builtIn, seed), outside: time(program, pair.outside, seed))
        }
        let ratio = median(times.map { $0.outside / $0.builtIn })
        let figures = [median(times.map(\.builtIn)), median(times.map(\.outside)), ratio]
        print(
          "  " + program.name.padding(toLength: 20, withPad: " ", startingAt: 0)
            + figures.map { String(format: "%9.2f", $0) }.joined())
        return ratio
      }
      let mean = exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
      print("  geometric mean of the ratios: \(String(format: "%.3f", mean))")
    }
  }

  /// Returns the microseconds of a schedule of the twin without the bug, so that every search runs as many.
  private static func time(
    _ program: TwinProgram, _ strategy: any SchedulingStrategy, _ seed: UInt64
  ) -> Double {
    var explorer = program.explorer(.mended)
    explorer.checksDeterminism = false
    explorer.budget.schedules = schedules
    explorer.seed = seed
    explorer.strategy = strategy
    var ran = 0
    let time = ContinuousClock().measure { ran = explorer.explore().schedules }
    return time / .microseconds(1) / Double(ran)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
