import Foundation
import Simulator
import Testing

@Suite struct `Programs of queues and callbacks` {
  @Test(arguments: QueueProgram.all.filter { !$0.blocksForEver })
  func `show their fault within a thousand schedules`(_ program: QueueProgram) {
    let report = program.explored(isMended: false, schedules: 1_000)
    #expect(report.violations.map(\.invariant) == [program.invariant])
  }

  /// In a process of their own: a thread of another test could still signal, and the report says so.
  @Test
  func `that wait for ever show it within a thousand schedules`() async {
    await #expect(processExitsWith: .success) {
      for program in QueueProgram.all where program.blocksForEver {
        let report = program.explored(isMended: false, schedules: 1_000)
        #expect(report.violations.map(\.invariant) == [program.invariant], "\(program)")
      }
    }
  }

  /// So many schedules of each, or those that the environment asks for.
  private static let schedules =
    ProcessInfo.processInfo.environment["QUEUE_SCHEDULES"].flatMap { Int($0) } ?? 500

  @Test(arguments: QueueProgram.all)
  func `are silent once they are mended`(_ program: QueueProgram) {
    let report = program.explored(isMended: true, schedules: Self.schedules)
    #expect(report.violations.map(\.message) == [])
  }
}
