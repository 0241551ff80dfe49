internal import CProcesses
import Foundation
import Simulator

/// What a process that runs user code may take of the machine.
struct WorkLimits: Codable, Hashable, Sendable {
  /// The longest real time without a step.
  let stall: Duration
  /// In bytes.
  let memory: UInt64

  /// Ten seconds without a step; four GiB, or less where the machine is small; unless a ``Variable`` says
  /// otherwise. Always less memory than the group of processes or the address space has: a process that the system
  /// ends for want of memory cannot be told from one that somebody kills.
  static var usual: Self {
    let environment = ProcessInfo.processInfo.environment
    let usual = max(512 << 20, min(4 << 30, cp_machine_memory() / 2))
    let asked = Variable.memory.number(in: environment).map { $0 << 20 } ?? usual
    return Self(
      stall: .seconds(Variable.stall.number(in: environment) ?? 10),
      memory: max(1 << 20, min(asked, groupShare, cp_address_space() / 2)))
  }

  /// Half of what the group of processes has. In a small group, what this process has and some more: most of that is
  /// the program's own text, which all processes share.
  private static var groupShare: UInt64 {
    let group = cp_group_memory()
    return max(group / 2, min(group / 8 * 7, cp_memory(cp_self()) + group / 4))
  }

  /// The environment variables that set the limits.
  enum Variable: String, CaseIterable {
    case stall = "SIMRUN_STALL_SECONDS"
    case memory = "SIMRUN_MEMORY_MIB"

    var allowed: ClosedRange<UInt64> {
      switch self {
      case .stall: 1...86_400
      case .memory: 1...(1 << 24)
      }
    }

    /// Its number; nil where it is not set, or set to something that is not allowed.
    func number(in environment: [String: String]) -> UInt64? {
      environment[rawValue].flatMap { UInt64($0) }.flatMap { allowed.contains($0) ? $0 : nil }
    }

    /// What it is set to, if that is not allowed.
    func flaw(in environment: [String: String]) -> String? {
      guard let text = environment[rawValue], !text.isEmpty else { return nil }
      return number(in: environment) == nil ? text : nil
    }
  }

  var processLimits: Explorer.ProcessLimits {
    var process = Explorer.ProcessLimits()
    process.stall = stall
    process.memory = memory
    return process
  }
}
