import Foundation

/// What ends a process, or never lets it go on.
enum Trouble: String, CaseIterable {
  case none
  case traps
  case overflows
  case aborts
  case exits
  case isKilled = "is-killed"
  case loops
  case waits
  case recurses
  case hoards
  case trapsBesideThread = "traps-beside-thread"
  case miscountsAndTraps = "miscounts-and-traps"
  case diesWhenPutAway = "dies-when-put-away"

  func strike() {
    switch self {
    case .none, .diesWhenPutAway: break
    case .traps, .trapsBesideThread, .miscountsAndTraps: fatalError("two visitors at a time")
    case .overflows: print(Self.most + Int(Self.most.description.count))
    case .aborts: abort()
    case .exits: exit(0)
    case .isKilled: kill(getpid(), SIGKILL)
    case .loops: while Self.most > 0 {}
    case .waits: DispatchSemaphore(value: 0).wait()
    case .recurses: print(Self.depth(of: 1))
    case .hoards: hoard()
    }
  }

  /// Not known to the optimiser.
  private static var most: Int { ProcessInfo.processInfo.processorCount > 0 ? .max : 0 }

  private static func depth(of number: Int) -> Int {
    number > 0 ? 1 + depth(of: number + Int.random(in: 0...1)) : 0
  }

  private func hoard() {
    var all: [[UInt8]] = []
    while Self.most > 0 { all.append([UInt8](repeating: UInt8(all.count & 1), count: 1 << 24)) }
    print(all.count)
  }
}

/// A thread that does nothing, for as long as the process lives.
enum Bystander {
  static func start() { _ = isThere }

  private static let isThere: Bool = {
    Thread { while true { sleep(1_000) } }.start()
    return true
  }()
}
