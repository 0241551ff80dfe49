package import SimulatorCore

/// Two accesses to the same memory by different tasks. At least one of them writes, and nothing known orders them.
package struct SuspectedRace: Hashable, Codable {
  let first: Schedule.CodePoint
  let second: Schedule.CodePoint
  /// The number of the first access, among all accesses of its execution.
  let number: UInt32

  /// The places of the accesses, which do not depend on the execution.
  package var points: [Schedule.CodePoint] { first == second ? [first] : [first, second] }
}
