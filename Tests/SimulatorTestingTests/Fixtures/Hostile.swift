import Foundation
import Simulator
import SimulatorTesting
import Synchronization
import Testing

/// Tests whose bodies do harm to the process that they run in.
@Suite(.enabled(if: Fixtures.areEnabled)) enum Hostile {
  /// What takes descriptors away, and traps after that in one of two schedules.
  @Suite(.simulated(schedules: 40)) struct Descriptors {
    @Test func closesAll() async throws {
      for descriptor in Int32(3)..<1_024 { close(descriptor) }
      await Hostile.traps("all are closed")
    }

    @Test func overwritesAll() async throws {
      for descriptor in Int32(3)..<1_024 { dup2(0, descriptor) }
      await Hostile.traps("all are overwritten")
    }

    @Test func closesARange() async throws {
      closefrom(3)
      await Hostile.traps("a range is closed")
    }

    @Test func opensAllThereAre() async throws {
      while unsafe open("/dev/null", O_RDONLY) >= 0 {}
      await Hostile.traps("all are open")
    }

    @Test func mayOpenNone() async throws {
      Hostile.limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), to: 3)
      await Hostile.traps("none may be opened")
    }

    @Test func mayWriteNothing() async throws {
      Hostile.limit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), to: 0)
      await Hostile.traps("nothing may be written")
    }

    @Test func closesAllAndHolds() async throws {
      for descriptor in Int32(3)..<1_024 { close(descriptor) }
      await Task.yield()
    }

    @Test func closesAllAndExpects() async throws {
      for descriptor in Int32(0)..<1_024 { close(descriptor) }
      await Task.yield()
      #expect(!Hostile.isUnlucky, "all are closed")
    }

    @Test func leavesItsFolder() async throws {
      unsafe chdir("/proc")
      #expect(!Hostile.isUnlucky, "in another folder")
    }
  }

  /// What ends its process in a way of its own, or another.
  @Suite(.simulated(schedules: 40)) struct Ends {
    @Test func exitsAtOnce() async throws { if Hostile.isUnlucky { _exit(0) } }
    @Test func exitsQuickly() async throws { if Hostile.isUnlucky { quick_exit(0) } }
    @Test func exitsAlways() async throws { exit(0) }
    @Test func exitsFromAHandler() async throws {
      atexit { _exit(7) }
      if Hostile.isUnlucky { exit(0) }
    }
    @Test func endsItsThread() async throws { if Hostile.isUnlucky { pthread_exit(nil) } }
    @Test func becomesAnother() async throws { if Hostile.isUnlucky { Hostile.execute("/bin/true") } }
    @Test func killsItself() async throws { if Hostile.isUnlucky { kill(getpid(), SIGKILL) } }
    @Test func beginsASession() async throws {
      setsid()
      await Hostile.traps("in a session of its own")
    }
    @Test func lives() async throws { await Task.yield() }
  }

  /// What spoils memory.
  @Suite(.simulated(schedules: 40)) struct Memory {
    @Test func recursesWithoutEnd() async throws { if Hostile.isUnlucky { _ = Hostile.deep(1) } }
    @Test func freesTwice() async throws {
      guard Hostile.isUnlucky else { return }
      let memory = unsafe malloc(100)
      unsafe free(memory)
      unsafe free(memory)
    }
    @Test func unmapsItsGlobals() async throws {
      guard Hostile.isUnlucky else { return }
      unsafe withUnsafePointer(to: &Hostile.global) { at in
        _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: at) & ~4_095), 1 << 16)
      }
    }
    @Test func lives() async throws { await Task.yield() }
  }

  /// Some that end their process side by side, always.
  @Suite struct Together {
    @Test(.simulated) func traps() async throws { fatalError("one") }
    @Test(.simulated) func trapsToo() async throws { fatalError("two") }
    @Test(.simulated, arguments: 1...2) func trapsWith(number: Int) async throws {
      fatalError("number \(number)")
    }
    @Test(.simulated) func lives() async throws { await Task.yield() }
  }

  /// What takes time or memory without end.
  @Suite(.serialized) struct Endless {
    @Test(.simulated) func spins() async throws { if Hostile.isUnlucky { while true {} } }
    @Test(.simulated) func spinsAlways() async throws { while true {} }
    @Test(.simulated) func takesALockForEver() async throws {
      let lock = NSLock()
      while true { lock.withLock {} }
    }
    @Test func leavesAFlag() { Hostile.flag.store(true, ordering: .relaxed) }
    @Test(.simulated) func spinsWhereItIsSet() async throws {
      while Hostile.flag.load(ordering: .relaxed) {}
    }
    @Test(.simulated) func sleeps() async throws { if Hostile.isUnlucky { Hostile.waits() } }
    @Test(.simulated) func allocates() async throws { while true { Hostile.allocate(1 << 20) } }
    @Test(.simulated) func leaks() async throws {
      Hostile.allocate(8 << 20)
      await Task.yield()
    }
    /// Much, and less than it may: three of them fill the memory.
    @Test(.simulated(schedules: 4)) func keepsMuch() async throws {
      Hostile.allocate(1_800 << 20)
      for _ in 0..<3 where Hostile.isUnlucky { await Task.yield() }
    }
    @Test(.simulated) func doubles() async throws { await Hostile.doubles() }
    @Test(.simulated) func nests() async throws { await Hostile.nests() }
    /// Each task is the child of the one before.
    @Test(.simulated(schedules: 2)) func chains() async throws {
      @Sendable func goOn() {
        Task {
          await Task.yield()
          goOn()
        }
      }
      goOn()
      try await Task.sleep(for: .seconds(1))
    }
    @Test(.simulated) func yieldsItsThread() async throws { while true { sched_yield() } }
    @Test(.simulated) func makesThreads() async throws {
      while true { Thread.detachNewThread { Thread.sleep(forTimeInterval: 1) } }
    }
    /// A task that polls for very many steps before it really takes until the timer.
    @Test(.simulated(schedules: 2)) func hopsUntilATimer() async throws {
      let flag = Flag()
      Task {
        try await Task.sleep(for: .seconds(3))
        flag.set()
      }
      while !flag.isSet { await Hostile.hops() }
    }
    /// Each step takes longer than one needs that does nothing.
    @Test(.simulated) func isSlowAndSpins() async throws {
      Hostile.works(for: 400)
      if Hostile.isUnlucky { while true {} }
    }
  }

  /// What is in the middle of something when its time is over.
  @Suite(.serialized) struct Late {
    @Test(.simulated(timeBudget: .seconds(2))) func spins() async throws {
      if Hostile.isUnlucky { while true {} }
    }
    @Test(.simulated(timeBudget: .seconds(2))) func spinsAlways() async throws { while true {} }
    @Test(.simulated(timeBudget: .seconds(2))) func sleeps() async throws { Hostile.waits() }
    @Test(.simulated(timeBudget: .seconds(3))) func shrinks() async throws {
      var sum = 0
      for _ in 0..<30 where Hostile.isUnlucky { sum += 1 }
      Hostile.works(for: 5)
      #expect(sum < 12)
    }
    @Test(.simulated(timeBudget: .seconds(3))) func shrinksTraps() async throws {
      var sum = 0
      for _ in 0..<30 where Hostile.isUnlucky { sum += 1 }
      Hostile.works(for: 5)
      if sum >= 12 { fatalError("twelve") }
    }
  }

  static let flag = Atomic(false)
  static var isUnlucky: Bool { Simulation.current?.choose(among: [false, true]) ?? false }

  static func traps(_ words: String) async {
    await Task.yield()
    if isUnlucky { fatalError(words) }
  }

  /// Makes two tasks, each of which makes two.
  static func doubles() async {
    await withTaskGroup { group in
      group.addTask { await doubles() }
      group.addTask { await doubles() }
    }
  }

  /// Goes to another actor and back.
  @MainActor static func hops() {}

  nonisolated(unsafe) static var global = 1

  static func limit(_ resource: __rlimit_resource_t, to value: UInt) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    unsafe setrlimit(resource, &limit)
  }

  static func execute(_ path: String) {
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(path), nil]
    unsafe execv(path, &arguments)
  }

  @inline(never) static func deep(_ depth: Int) -> Int {
    var room = (depth, depth, depth, depth)
    return unsafe withUnsafePointer(to: &room) { unsafe depth &+ deep($0.pointee.0 &+ 1) }
  }

  static func allocate(_ size: Int) {
    unsafe memset(malloc(size), 1, size)
  }

  static func nests() async {
    async let inner: Void = nests()
    await inner
  }

  /// Waits for what nobody writes.
  static func waits() {
    var ends: [Int32] = [0, 0]
    unsafe pipe(&ends)
    var byte: UInt8 = 0
    unsafe read(ends[0], &byte, 1)
  }

  /// Has a processor for so many milliseconds.
  static func works(for milliseconds: Int) {
    var usage = rusage()
    func spent() -> Int {
      unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_utime.tv_sec * 1_000 + Int(usage.ru_utime.tv_usec) / 1_000
    }
    let end = spent() + milliseconds
    while spent() < end {}
  }
}
