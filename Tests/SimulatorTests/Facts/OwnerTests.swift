import Foundation
import Simulator
import Testing

@Suite struct `The last owner goes away` {
  @Test(arguments: OwnerProgram.all)
  func `of something in use, and the program comes to its end`(_ program: OwnerProgram) {
    let body = program.body
    let report = explore(program.description, schedules: 30) { _ in try await body() }
    #expect(report.violations.map(\.message) == [])
  }
}

@Suite struct `Owners that go away in programs drawn by chance` {
  /// Twenty of them, or as many as `GENERATED_PROGRAMS` says; from number 0 on, or from `GENERATED_FROM`.
  private static let numbers: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["GENERATED_FROM"].flatMap(UInt64.init) ?? 0
    return first..<first + (environment["GENERATED_PROGRAMS"].flatMap(UInt64.init) ?? 20)
  }()

  @Test(arguments: numbers)
  func `leave each block run as often as it must, and all that it holds free`(_ number: UInt64) {
    let program = OwnedProgram(seed: number)
    guard let found = complaint(program, number) else { return }
    let least = smallest(program, number)
    Issue.record("\(program) comes to: \(found); and so \(least): \(complaint(least, number) ?? "")")
  }

  private func complaint(_ program: OwnedProgram, _ number: UInt64) -> String? {
    program.explored(schedules: 6, seed: number).violations.first.map { "\($0.invariant): \($0.message)" }
  }

  /// A program with as few operations as still come to something wrong.
  private func smallest(_ program: OwnedProgram, _ number: UInt64) -> OwnedProgram {
    program.smaller.first { complaint($0, number) != nil }.map { smallest($0, number) } ?? program
  }
}
