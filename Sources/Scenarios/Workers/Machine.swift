internal import CProcesses
import Simulator

/// What the machine lets a process do, and what it would do to a program that is not simulated.
enum Machine {
  /// Starts this process again with memory at the same addresses as in every other, where that can be had. A program
  /// whose behavior depends on the address of an object does the same in each process then.
  static func fixAddresses() { unsafe cp_fix_addresses(Executable.unsafeArguments) }

  /// Starts this process again with this seed of hashing, unless it has it: the runtime reads the seed before `main`.
  static func setHashSeed(_ seed: UInt32) {
    guard seed != Schedule.Token.currentHashSeed else { return }
    unsafe cp_start_again(Executable.unsafeArguments, "SIMULATOR_HASH_SEED", seed == 0 ? nil : "\(seed)")
  }

  /// What cannot be had of it, a sentence each.
  static var warnings: [String] {
    guard !cp_can_fix_addresses() else { return [] }
    return [
      "this container gives each process other addresses; a program that depends on the address of an object may "
        + "behave differently in another process: allow personality(2), as with --security-opt seccomp=unconfined"
    ]
  }

  /// How long a process may use a processor here, and how to allow more; nil if that is not limited.
  static var limitOfProcessorTime: String? {
    let seconds = cp_processor_seconds()
    return seconds < 0
      ? nil : "a process may use \(seconds) s of processor time here; raise the limit (ulimit -t)"
  }

  /// Runs `body` with the signals of writing as they are for any program: a closed pipe ends it.
  static func asOutside<Result>(_ body: () -> Result) -> Result {
    cp_signals_of_writing_restored()
    defer { cp_signals_of_writing_ignored() }
    return body()
  }
}
