import Foundation
import Glibc
import Synchronization
import Testing

@testable import Simulator
@testable import SimulatorCore
@testable import SimulatorKernel

/// The threads of a simulation run on one core, of which the program knows nothing.
@Suite struct `The cores of a simulation` {
  @Test(.enabled(if: canBind)) func `are one, where a step has stood, and what they were when it is over`() {
    let before = Self.cores
    let inside = Mutex<[String]>([])
    let report = Self.exploreParkedSteps { inside.withLock { $0.append(Self.cores) } }
    #expect(report.violations.map(\.message) == [])
    let last = inside.withLock { $0.last }
    // Such as "3", and not "0-3" or "0,3".
    #expect(last.flatMap { Int($0) } != nil)
    #expect(Self.cores == before)
  }

  @Test func `are told as they are without a simulation`() {
    let outside = Self.told
    let inside = Mutex<Set<[Int]>>([])
    let report = Self.exploreParkedSteps { inside.withLock { _ = $0.insert(Self.told) } }
    #expect(report.violations.map(\.message) == [])
    #expect(inside.withLock { $0 } == [outside])
  }

  @Test(.enabled(if: canBind)) func `are no other thread's, which is made meanwhile`() {
    let before = Self.cores
    let made = Mutex<String?>(nil)
    var explorer = Self.parkedSteps {}
    explorer.tried = { _ in
      guard made.withLock({ $0 == nil }), Self.cores != before else { return }
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        made.withLock { $0 = Self.cores }
        done.signal()
      }
      done.wait()
    }
    _ = explorer.explore()
    #expect(made.withLock { $0 } == before)
  }

  @Test func `stay as they were where every step is whole`() {
    let before = Self.cores
    let inside = Mutex<Set<String>>([])
    _ = Self.exploreParkedSteps(.atomic) { inside.withLock { _ = $0.insert(Self.cores) } }
    #expect(inside.withLock { $0 } == [before])
  }

  /// Calls `look` in steps after others that stood.
  private static func exploreParkedSteps(
    _ steps: Simulation.Options.Steps = .preemptible, _ look: @escaping @Sendable () -> Void
  ) -> Explorer.Report {
    parkedSteps(steps, look).explore()
  }

  private static func parkedSteps(
    _ steps: Simulation.Options.Steps = .preemptible, _ look: @escaping @Sendable () -> Void
  ) -> Explorer {
    var explorer = Explorer(name: "cores", options: Simulation.Options(steps: steps)) { _ in
      let lock = NSLock()
      await withDiscardingTaskGroup { group in
        for _ in 0..<4 { group.addTask { lock.withLock {} } }
      }
      look()
    }
    explorer.budget.schedules = 200
    return explorer
  }

  /// The cores on which the system lets this thread run, as it lists them.
  private static var cores: String {
    let status = (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
    return line.map { String($0.split(separator: "\t")[1]) } ?? ""
  }

  /// Whether there are two, the system lets a thread choose, and no sanitizer answers for us how many there are.
  private static let canBind: Bool = {
    guard unsafe dlsym(nil, "__sanitizer_print_stack_trace") == nil else { return false }
    var before = [UInt64](repeating: 0, count: 16)
    guard unsafe c("sched_getaffinity", as: Asks.self)(0, 128, &before) == 0 else { return false }
    defer { _ = unsafe c("sched_setaffinity", as: Asks.self)(0, 128, &before) }
    let all = cores
    var one = [UInt64](repeating: 0, count: 16)
    guard let place = before.firstIndex(where: { $0 != 0 }) else { return false }
    one[place] = 1 << before[place].trailingZeroBitCount
    return unsafe c("sched_setaffinity", as: Asks.self)(0, 128, &one) == 0 && cores != all
  }()

  private typealias Asks = @convention(c) (Int32, Int, Address) -> Int32

  /// How many cores a program is told of.
  private static var told: [Int] {
    var set = [UInt64](repeating: 0, count: 16)
    let answer = unsafe c("sched_getaffinity", as: Asks.self)(0, 128, &set)
    let bits = set.reduce(0) { $0 + $1.nonzeroBitCount }
    return [ProcessInfo.processInfo.activeProcessorCount, Int(answer), bits]
  }
}
