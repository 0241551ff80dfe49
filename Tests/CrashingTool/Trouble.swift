import Foundation

/// What ends a process, or never lets it go on.
enum Trouble: String, CaseIterable {
  case none
  case traps
  case overflows
  case aborts
  case exits
  case isKilled = "is-killed"
  case isTerminated = "is-terminated"
  case stops
  case hearsOfNoChildren = "hears-of-no-children"
  case loops
  case waits
  case recurses
  case hoards
  case trapsBesideThread = "traps-beside-thread"
  case miscountsAndTraps = "miscounts-and-traps"
  case diesWhenPutAway = "dies-when-put-away"
  case forksAndTraps = "forks-and-traps"
  case trapsWhenCancelled = "traps-when-cancelled"
  case scribbles
  case scribblesEverywhere = "scribbles-everywhere"
  case truncates
  case closesAll = "closes-all"
  case writesToClosedPipe = "writes-to-closed-pipe"
  case miscounts
  case miscountsSlowly = "miscounts-slowly"
  case branchesOnAddress = "branches-on-address"

  func strike() {
    switch self {
    case .none, .diesWhenPutAway, .trapsWhenCancelled, .miscounts, .miscountsSlowly, .branchesOnAddress:
      break
    case .traps, .trapsBesideThread, .miscountsAndTraps: fatalError("two visitors at a time")
    case .overflows: print(Self.most + Int(Self.most.description.count))
    case .aborts: abort()
    case .exits: exit(0)
    case .isKilled: kill(getpid(), SIGKILL)
    case .isTerminated: raise(SIGTERM)
    case .stops: raise(SIGSTOP)
    case .hearsOfNoChildren:
      signal(SIGCHLD, SIG_IGN)
      fatalError("two visitors at a time")
    case .loops: while Self.most > 0 {}
    case .waits: waitForInput()
    case .recurses: print(Self.depth(of: 1))
    case .hoards: hoard()
    case .forksAndTraps:
      leaveChild()
      fatalError("two visitors at a time")
    case .scribbles: scribble(on: 3..<64)
    case .scribblesEverywhere: scribble(on: 3..<1_024)
    case .truncates: for descriptor in 3..<64 { ftruncate(Int32(descriptor), 0) }
    case .closesAll: for descriptor in 0..<1_024 { close(Int32(descriptor)) }
    case .writesToClosedPipe: writeToClosedPipe()
    }
  }

  /// A copy of this process, which lives longer than this one. Swift hides `fork`.
  private func leaveChild() {
    typealias Fork = @convention(c) () -> Int32
    let fork = unsafe unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
    if fork() == 0 { while true { sleep(1_000) } }
  }

  /// As a program does that takes these descriptors for its own.
  private func scribble(on descriptors: Range<Int32>) {
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 64)
    for descriptor in descriptors { unsafe write(descriptor, text, text.count) }
  }

  /// Opens a pipe with a name that nobody writes to. No way out of a simulation: it blocks for real.
  private func waitForInput() {
    let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID())").path
    unsafe mkfifo(path, 0o600)
    let end = unsafe open(path, O_RDONLY | O_NONBLOCK)
    unsafe unlink(path)
    _ = unsafe open("/proc/self/fd/\(end)", O_RDONLY)
  }

  private func writeToClosedPipe() {
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    close(ends[0])
    unsafe write(ends[1], "x", 1)
    close(ends[1])
  }

  /// Not known to the optimizer.
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
