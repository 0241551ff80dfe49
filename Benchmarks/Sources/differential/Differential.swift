import CThreads
import Foundation

/// Draws programs, runs each in simulation and for real, and says where the two differ.
@main enum Differential {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.help { return say(Options.usage) }
      // The main thread serves the main actor of the real runs.
      let thread = Thread { exit(compare(options) ? 0 : 1) }
      thread.stackSize = 8 << 20
      thread.start()
      dispatchMain()
    } catch {
      FileHandle.standardError.write(Data("differential: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func compare(_ options: Options) -> Bool {
    precondition(threads_of_pool() > 1)
    var summary = Summary()
    for number in options.from..<options.from + UInt64(options.programs) {
      let program = options.kind.program(number)
      let comparison = Comparison(program, options)
      summary.add(comparison)
      if options.verbose { say("\(comparison.line)\n\(program)") }
      for outcome in comparison.unexplained {
        say("program \(number): real, and in no search so far: \(outcome)\n\(comparison.program)")
      }
      guard !comparison.faults.isEmpty else { continue }
      say(comparison.text)
      let smallest = options.shrinks ? comparison.smallest(options) : comparison
      if smallest.program.description != comparison.program.description {
        say("smallest:\n\(smallest.text)")
      }
    }
    say(summary.text)
    return summary.faulty == 0
  }
}

/// What came of all programs.
struct Summary {
  private var programs = 0
  private(set) var faulty = 0
  private var schedules = 0
  private var complete = 0
  private var simulated = 0
  private var seen = 0
  private var confirmed = 0
  private var untried = 0
  private var unexplained = 0
  private var allowed: [Rule: Int] = [:]

  mutating func add(_ comparison: Comparison) {
    programs += 1
    if !comparison.faults.isEmpty { faulty += 1 }
    schedules += comparison.simulated.schedules
    if comparison.simulated.isComplete { complete += 1 }
    simulated += comparison.simulated.outcomes.count
    seen += comparison.simulated.outcomes.intersection(comparison.real).count
    confirmed += comparison.confirmed
    untried += comparison.untried
    unexplained += comparison.unexplained.count
    for (rule, outcomes) in comparison.allowed { allowed[rule, default: 0] += outcomes.count }
  }

  var text: String {
    let rules = Rule.allCases.map { "\($0.rawValue) \(allowed[$0, default: 0])" }.joined(separator: ", ")
    return """
      \(programs) programs, \(complete) searched to the end, \(schedules) schedules, \(simulated) simulated outcomes: \
      \(seen) seen for real, \(confirmed) when held back in their order, \(untried) not tried; allowed by a rule: \
      \(rules); not seen in a search that has not ended: \(unexplained); \(faulty) programs with a fault
      """
  }
}

extension Comparison {
  var line: String {
    "\(program.number): \(simulated.outcomes.count) simulated\(simulated.isComplete ? "" : "…"), \(real.count) real, "
      + "\(confirmed) confirmed, \(untried) untried"
      + allowed.map { "; \($0.key.rawValue): \($0.value.joined(separator: ", "))" }.joined()
  }

  var text: String {
    "program \(program.number):\n\(program)\n" + faults.map { "  fault: \($0)\n" }.joined()
  }

  /// As small a program as still shows a fault of the same kind, found in a few rounds.
  func smallest(_ options: Options) -> Comparison {
    var smallest = self
    var rounds = 0
    search: while rounds < 60 {
      for program in smallest.program.smaller {
        rounds += 1
        let comparison = Comparison(program, options)
        if comparison.kind == kind {
          smallest = comparison
          continue search
        }
        if rounds >= 60 { break }
      }
      break
    }
    return smallest
  }

  private var kind: String? {
    faults.first.map {
      String($0.prefix { $0 != ":" }.split(separator: " ").prefix(3).joined(separator: " "))
    }
  }
}

/// Writes one line to standard output, at once: a long run can be followed in a file.
func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}
