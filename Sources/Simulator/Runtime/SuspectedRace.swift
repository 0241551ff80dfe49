/// Two accesses of different tasks to the same memory, of which at least one writes, and which nothing known orders.
struct SuspectedRace: Hashable, Codable {
  let first: Schedule.CodePoint
  let second: Schedule.CodePoint
  /// Of the first, among the accesses of its execution.
  let number: UInt32

  /// The places, whatever the execution.
  var points: [Schedule.CodePoint] { first == second ? [first] : [first, second] }
}
