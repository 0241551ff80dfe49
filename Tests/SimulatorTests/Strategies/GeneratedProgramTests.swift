import Foundation
import Simulator
import SimulatorStrategies
import TestEffort
import Testing

@Suite struct `Partial order reduction of programs drawn by chance` {
  /// Three of them, twenty in the later step of `.ci/run` that tries all, or as many as `GENERATED_PROGRAMS` says; from number 0 on, or from `GENERATED_FROM`.
  private static let numbers: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["GENERATED_FROM"].flatMap(UInt64.init) ?? 0
    return first..<first
      + (environment["GENERATED_PROGRAMS"].flatMap(UInt64.init) ?? tries(3, more: 6, all: 20))
  }()

  /// Brute force is given up after so many schedules; what it has come to by then must still be come to.
  private static let mostSchedules = 5_000

  @Test(arguments: numbers)
  func `come to the same as brute force`(_ number: UInt64) { check(GeneratedProgram(seed: number)) }

  @Test(arguments: numbers.prefix((numbers.count + 1) / 2))
  func `that sleep within ranges come to the same as brute force`(_ number: UInt64) {
    check(GeneratedProgram(seed: number, ranges: true))
  }

  private func check(_ program: GeneratedProgram) {
    guard let found = difference(program) else { return }
    let least = smallest(program)
    Issue.record("\(program) \(found); and so \(least) \(difference(least) ?? "")")
  }

  /// What brute force finds and the reduction does not; nil if that is nothing, or if neither comes to an end.
  private func difference(_ program: GeneratedProgram) -> String? {
    let (all, whole) = program.outcomes(Following(Strategies.ExhaustiveDFS()), schedules: Self.mostSchedules)
    let (reduced, report) = program.outcomes(Strategies.ExhaustiveReduced(), schedules: Self.mostSchedules)
    let missed = all.subtracting(reduced).sorted()
    guard whole.coverage == .everySchedule else {
      return report.coverage == nil || missed.isEmpty ? nil : "misses \(missed)"
    }
    guard report.coverage == .everyBehavior else { return "has no end, though all are \(whole.schedules)" }
    if !missed.isEmpty { return "misses \(missed)" }
    if reduced != all { return "comes to \(reduced.subtracting(all).sorted())" }
    return report.behaviors == whole.behaviors
      ? nil : "shows \(report.behaviors) behaviors of \(whole.behaviors)"
  }

  /// A program with as few operations as still show a difference.
  private func smallest(_ program: GeneratedProgram) -> GeneratedProgram {
    program.smaller.first { difference($0) != nil }.map(smallest) ?? program
  }
}
