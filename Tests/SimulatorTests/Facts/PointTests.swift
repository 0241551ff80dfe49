import Simulator
import Testing

@Suite struct `Points` {
  @Test(arguments: Freeing.all)
  func `what a statement sets free may run before or after the next statement`(_ freeing: Freeing) {
    let program = SmallProgram(freeing.description) { _ in
      let notes = Notes()
      await freeing.program(notes)
      return notes.all
    }
    let (found, report) = program.outcomes(
      .portfolio, schedules: 1_000, options: Simulation.Options(steps: .preemptible))
    #expect(found == ["m0", "0m"], "\(report.violations.first?.message ?? "")")
  }
}
