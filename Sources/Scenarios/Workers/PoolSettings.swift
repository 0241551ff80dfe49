internal import CProcesses
import Foundation

/// How scenarios are played.
struct PoolSettings: Equatable, Sendable {
  /// How many workers play at the same time.
  var jobs = Int(cp_processors())
  /// After how much real time the search ends.
  var timeLimit: Duration?
  var limits = WorkOrder.Limits.usual

  /// What `--jobs` may say.
  static let jobLimits = 1...256
}

extension WorkOrder.Limits {
  /// Ten seconds without a step; four GiB, or less where the machine is small.
  ///
  /// `SIMRUN_STALL_SECONDS` and `SIMRUN_MEMORY_MIB` say otherwise.
  static var usual: Self {
    let environment = ProcessInfo.processInfo.environment
    let stall = environment["SIMRUN_STALL_SECONDS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 10
    let usual = max(512 << 20, min(4 << 30, cp_machine_memory() / 2))
    let memory = environment["SIMRUN_MEMORY_MIB"].flatMap { UInt64($0) }.flatMap { $0 > 0 ? $0 << 20 : nil }
    return Self(stall: .seconds(stall), memory: memory ?? usual)
  }
}
