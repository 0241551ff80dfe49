internal import CProcesses
internal import Foundation
internal import SimulatorCore

extension Explorer {
  /// The resources of the machine that an execution may use before its process is given up.
  public struct ProcessLimits: Hashable, Codable, Sendable {
    /// The time for which no step may begin or end. 5 s; only time for which the process has a processor counts.
    public var stall: Duration = .seconds(5)
    /// The number of bytes of memory that the process may use. 2 GiB.
    public var memory: UInt64 = 2 << 30

    /// The defaults.
    public init() {}

    func refuseMeaningless() {
      refuse(if: stall <= .zero, "`stall` is \(stall); a step needs some time, so set it to 100 ms or more")
      refuse(if: memory == 0, "`memory` is 0; a process needs some memory, so set it to 64 MiB or more")
    }
  }
}

extension Explorer.ProcessLimits {
  /// The environment variables that set the limits of `simrun` and of simulated tests.
  package enum Variable: String, CaseIterable {
    case stall = "SIMULATOR_STALL_SECONDS"
    case memory = "SIMULATOR_MEMORY_MIB"

    var allowed: ClosedRange<UInt64> {
      switch self {
      case .stall: 1...86_400
      case .memory: 1...(1 << 24)
      }
    }

    /// The numbers that it allows, in words.
    package var allowedText: String { "a whole number from \(allowed.lowerBound) to \(allowed.upperBound)" }

    /// Returns the number that it is set to; nil if it is not set, or is set to something that is not allowed.
    func number(in environment: [String: String]) -> UInt64? {
      environment[rawValue].flatMap { UInt64($0) }.flatMap { allowed.contains($0) ? $0 : nil }
    }

    /// Returns the text that it is set to, if that is not allowed.
    package func flaw(in environment: [String: String]) -> String? {
      guard let text = environment[rawValue], !text.isEmpty else { return nil }
      return number(in: environment) == nil ? text : nil
    }
  }

  /// The defaults, with less memory if the machine is small, unless a ``Variable`` says otherwise. The memory is always less
  /// than the group of processes or the address space has, because a process that the system ends for lack of memory looks
  /// like one that was killed from outside.
  package static let usual = usual(in: ProcessInfo.processInfo.environment)

  private static func usual(in environment: [String: String]) -> Self {
    var limits = Self()
    if let seconds = Variable.stall.number(in: environment) { limits.stall = .seconds(seconds) }
    let memory =
      Variable.memory.number(in: environment).map { $0 << 20 }
      ?? max(512 << 20, min(limits.memory, cp_machine_memory() / 2))
    limits.memory = max(1 << 20, min(memory, groupShare, cp_address_space() / 2))
    return limits
  }

  /// Half of the memory of the group of processes. In a small group, the memory of this process plus a quarter of the group's:
  /// most of the former is the program's own text, which all processes share.
  private static var groupShare: UInt64 {
    let group = cp_group_memory()
    return max(group / 2, min(group / 8 * 7, cp_memory(cp_self()) + group / 4))
  }
}
