import Foundation
import Simulator

/// Prints how many schedules the reduced search takes beside how many behaviors there are, as Markdown; ends with 1
/// where it takes another number.
@main
enum ReductionTable {
  static func main() {
    var isExact = true
    print("| program | behaviors | schedules |\n| --- | --- | --- |")
    for program in Program.all {
      let report = explore(program.name, schedules: 100_000, strategy: .reduced, program.body)
      let schedules = report.coverage == .everyBehavior ? "\(report.coveredSchedules)" : "no end"
      print("| \(program.name) | \(program.behaviors) | \(schedules) |")
      if schedules != "\(program.behaviors)" { isExact = false }
    }
    if !isExact { exit(1) }
  }
}
