import Simulator
import SimulatorStrategies
import Testing

/// The outcomes of a program, searched depth first and reduced. Steps overlap only if an execution asks for that, and each search
/// must find out that they do, or don't, as `overlap` says.
func searchedOutcomes(
  _ name: String, overlap: Bool = true, schedules: Int = 20_000,
  _ body: @escaping @Sendable () async -> String
) -> [Set<String>] {
  let program = SmallProgram(name) { _ in await body() }
  let strategies: [any SchedulingStrategy] = [Strategies.ExhaustiveDFS(), Strategies.ExhaustiveReduced()]
  return strategies.map { strategy in
    let (outcomes, report) = program.allOutcomes(strategy, schedules: schedules, steps: .asNeeded)
    #expect(report.hasPreemptibleSteps == overlap && report.violations.isEmpty)
    return outcomes
  }
}
