import Foundation
import Glibc
import Simulator
import Synchronization
import Testing

/// Work that leaves a simulation is seen at the call, each time, and nothing else is concluded.
@Suite(.serialized) struct `Ways out` {
  static let programs =
    ExitProgram.queues + ExitProgram.files + ExitProgram.sources + ExitProgram.waits + ExitProgram.threads
    + ExitProgram.processes + ExitProgram.c + ExitProgram.blocking

  @Test(arguments: programs) func `a program that leaves is an escape at the call, in each run the same`(
    _ program: ExitProgram
  ) {
    var reports = (0..<3).map { _ in program.explored() }
    // `wait` also returns for a child of another test that ends at that moment.
    for _ in 0..<5 where program.exit == "wait" && Set(reports.map { "\($0)" }).count > 1 {
      reports = (0..<3).map { _ in program.explored() }
    }
    for report in reports {
      #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
      #expect(report.coverage == nil)
      #expect(report.warnings == [])
      #expect(report.violations.first?.message.contains(" by \(program.exit) at ") == true)
      #expect(report.violations.first?.message.contains(" \(program.file):\(program.line)") == true)
    }
    for report in reports.dropFirst() { #expect("\(report)" == "\(reports[0])") }
  }

  @Test(arguments: programs) func `each way out has a row`(_ program: ExitProgram) throws {
    let row = try #require(Exits.row(of: program.exit))
    #expect(row.fate == .escapes)
    #expect(program.explored().violations.first?.message.contains(row.remedy) == true)
  }

  @Test(arguments: Exits.rows.filter { $0.fate == .escapes }.map(\.name))
  func `each row that escapes is answered by the simulator`(_ name: String) {
    #expect(Exits.isAnswered(name))
  }

  @Test func `each row that escapes has a program`() {
    let rows = Exits.rows.filter { $0.fate == .escapes }.map(\.name)
    #expect(Set(rows).subtracting(Self.programs.map(\.exit)).sorted() == [])
  }

  @Test func `each row that is controlled has a program, which stays inside`() {
    let rows = Exits.rows.filter { $0.fate == .controlled }.map(\.name)
    #expect(Set(rows) == Set(`No way out`.programs.flatMap { $0.rows }))
  }

  @Test func `no two rows have one name`() {
    #expect(Set(Exits.rows.map(\.name)).count == Exits.rows.count)
  }

  @Test func `work that has left is not run beside the simulation`() {
    let ran = Atomic(0)
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data([1]))
    let program = ExitProgram("", "dispatch_source_create") { _ in
      let file = pipe.fileHandleForReading.fileDescriptor
      let source = DispatchSource.makeReadSource(fileDescriptor: file)
      source.setEventHandler { ran.add(1, ordering: .relaxed) }
      source.activate()
    }
    #expect(program.explored().violations.count == 1)
    usleep(50_000)
    #expect(ran.load(ordering: .relaxed) == 0)
  }

  @Test func `the way out outside a simulation is as ever`() async {
    await withCheckedContinuation { waiting in DispatchQueue.global().async { waiting.resume() } }
    let ran = Atomic(0)
    let start = ContinuousClock.now
    here {
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { ran.add(1, ordering: .relaxed) }
      group.wait()
      DispatchQueue.concurrentPerform(iterations: 3) { _ in ran.add(1, ordering: .relaxed) }
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.01)
        done.signal()
      }
      done.wait()
      let condition = NSCondition()
      condition.withLock { _ = condition.wait(until: Date() + 0.01) }
    }
    #expect(ran.load(ordering: .relaxed) == 4)
    #expect(ContinuousClock.now - start >= .milliseconds(20))
  }

  @Test func `nothing else is concluded of an execution that work has left`() {
    let program = ExitProgram("", "usleep") { simulation in
      simulation.fail("before", "a violation before")
      Task { try? await Task.sleep(for: .seconds(1)) }
      usleep(10)
      simulation.fail("after", "a violation after")
      throw CancellationError()
    }
    #expect(program.explored().violations.map(\.invariant) == [Invariant.BuiltIn.escape])
  }

  @Test func `a sleep lets the clock of its step move, and returns`() {
    let slept = Mutex<[Duration]>([])
    let program = ExitProgram("", "nanosleep") { _ in
      let start = ContinuousClock.now
      here { Thread.sleep(forTimeInterval: 2) }
      slept.withLock { $0.append(ContinuousClock.now - start) }
    }
    let report = program.explored()
    #expect(Set(slept.withLock { $0 }) == [.seconds(2)])
    #expect(report.violations.first?.time == .start)
  }

  @Test func `what was found in other schedules before stays`() {
    let program = ExitProgram("", "alarm") { simulation in
      let cell = Cell()
      let first = Task { await cell.set(1) }
      let second = Task { await cell.set(2) }
      _ = await (first.value, second.value)
      if await cell.value == 2 { simulation.fail("kept", "in order") } else { alarm(1) }
    }
    var explorer = Explorer(name: "two", body: program.body)
    explorer.budget.violationsToFind = nil
    #expect(explorer.explore().violations.map(\.invariant) == ["kept", Invariant.BuiltIn.escape])
  }

  @Test func `every process has the same number, and can still be signaled by it`() {
    let numbers = Mutex<Set<Int32>>([])
    let report = exhaust(schedules: 3) { simulation in
      numbers.withLock { _ = $0.insert(ProcessInfo.processInfo.processIdentifier) }
      if kill(getpid(), 0) != 0 { simulation.fail("signal", "no such process") }
    }
    #expect(report.violations.map(\.message) == [])
    #expect(numbers.withLock { $0 } == [4_194_304])
    #expect(getpid() != 4_194_304)
  }

  @Test func `a task of another thread does not run on an actor of the simulation`() {
    let before = LookingThread()
    let (began, ran) = (Log<Int>(), Log<Int>())
    let report = exhaust(schedules: 3) { _ in
      let cell = Cell()
      await cell.set(1)
      let expected = began.all.count + 2
      before.submit {
        Task.detached {
          began.append(1)
          await cell.add(1)
          ran.append(1)
        }
        Task.detached {
          began.append(1)
          await Self.start(on: cell, ran)
        }
      }
      // Real time, so that the tasks of the other thread come before the end. Other tests may have the pool until then.
      let latest = Self.realTime() + 900
      while began.all.count < expected, Self.realTime() < latest {}
      let end = Self.realTime() + 0.2
      while Self.realTime() < end {}
      if await cell.value != 1 { ran.append(1) }
    }
    before.end()
    #expect(report.violations.map(\.invariant) == [Invariant.BuiltIn.escape])
    #expect(ran.all == [])
  }

  @Test func `an actor of an execution that is over may be used from outside`() async {
    let kept = Mutex<Cell?>(nil)
    _ = exhaust(schedules: 3) { _ in
      let cell = Cell()
      await cell.set(1)
      kept.withLock { $0 = cell }
    }
    let cell = kept.withLock { $0 }
    await cell?.add(1)
    #expect(await cell?.value == 2)
  }

  private static func start(on cell: Cell, _ ran: Log<Int>) async {
    await cell.set(5)
    ran.append(1)
  }

  /// Of the processor that this thread has had, asked of the C library itself, before which the simulator does not stand.
  private static func realTime() -> Double {
    typealias Clock = @convention(c) (Int32, UnsafeMutablePointer<timespec>) -> Int32
    let library = unsafe dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD)
    var time = timespec()
    _ = unsafe unsafeBitCast(dlsym(library, "clock_gettime"), to: Clock.self)(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
