internal import CConcurrencyHooks

/// The simulator's control of this process's Swift runtime.
///
/// Control rests on unofficial interfaces. So at the first simulation of a process, a self-test of some microseconds
/// runs a program whose every step is known. A harness that passes while it captures nothing is the worst outcome.
public enum RuntimeControl {
  /// The reason why the runtime is not under control; nil if it is. Tested once per process.
  public static let fault: RuntimeControl.Failure? = findFault()

  /// Throws if the runtime is not under control.
  public static func verify() throws(RuntimeControl.Failure) {
    if let fault { throw fault }
  }

  /// A fault that this process does not have, to see what tests do when it has one.
  @TaskLocal package static var pretendedFault: RuntimeControl.Failure?

  private static func findFault() -> RuntimeControl.Failure? {
    let installation = unsafe ch_get_installation()
    let missing = unsafe String(cString: installation.missing)
    guard unsafe installation.hooks_found, unsafe installation.originals_found else {
      return .symbolMissing(missing)
    }
    guard unsafe installation.prepared else { return .notPrepared }
    if unsafe installation.hash_seed_is_bad { return .badHashSeed }
    knowPool()
    if let fault = SelfTest.streams() ?? SelfTest.steps() ?? SelfTest.waits()
      ?? SelfTest.droppedContinuations() ?? SelfTest.layouts()
    {
      return fault
    }
    SelfTest.groups()
    return nil
  }
}

extension RuntimeControl {
  /// Registers the pool's executors: a task that prefers the pool has no preference.
  private static func knowPool() {
    for pool in [globalConcurrentExecutor, StandInFactory.defaultExecutor] {
      // Safe because an executor is an object, and only its address is kept.
      unsafe ch_is_pool(UInt(bitPattern: Unmanaged.passUnretained(pool as AnyObject).toOpaque()))
    }
  }
}

extension RuntimeControl {
  /// The property of the runtime that is not as the simulator needs it.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A function or hook of the runtime was not found.
    case symbolMissing(String)
    /// The default executor could not be installed before `main`.
    case notPrepared
    /// The environment variable `SIMULATOR_HASH_SEED` is no seed.
    case badHashSeed
    /// Something that must be captured was not captured, or has another shape.
    case notCaptured(String)

    public var description: String {
      switch self {
      case .symbolMissing(let name):
        "the simulator cannot find “\(name)” in this Swift runtime; it needs \(Self.needed)"
      case .notPrepared:
        "the simulator was not linked as a whole, its start-up code is missing; depend on the product “Simulator” as usual"
      case .badHashSeed:
        "SIMULATOR_HASH_SEED is no seed of hashing: set it to a whole number from 0 to 4294967295, or not at all"
      case .notCaptured(let what):
        "the simulator does not control this Swift runtime: \(what); it needs \(Self.needed)"
      }
    }

    private static var needed: String {
      "Swift 6.3 on Linux with the dynamically linked standard library, and this was built with \(compiler)"
    }

    private static var compiler: String {
      #if compiler(>=6.5)
        "Swift 6.5 or later"
      #elseif compiler(>=6.4)
        "Swift 6.4"
      #elseif compiler(>=6.3)
        "Swift 6.3"
      #else
        "a Swift older than 6.3"
      #endif
    }
  }
}
