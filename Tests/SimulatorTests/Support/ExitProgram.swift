import Foundation
import Glibc
import Simulator
import Testing

/// A program that leaves the simulation, written in one line: that line is where it is seen.
struct ExitProgram: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The function by which it leaves.
  let exit: String
  let file: String
  let line: Int
  let body: @Sendable (Simulation) async throws -> Void

  init(
    _ name: String, _ exit: String, file: StaticString = #file, line: Int = #line,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
  ) {
    testDescription = name
    self.exit = exit
    self.file = "\(file)".split(separator: "/").last.map(String.init) ?? ""
    self.line = line
    self.body = body
  }

  /// What a search of it reports, of whole steps: where they overlap, some of these calls are answered.
  func explored() -> Explorer.Report {
    var explorer = Explorer(name: testDescription, options: Simulation.Options(steps: .atomic), body: body)
    explorer.budget.schedules = 20
    explorer.seed = 7
    return explorer.explore()
  }
}

// MARK: - Functions that Swift does not show

typealias Address = UnsafeMutableRawPointer?
typealias Work = @convention(c) (Address) -> Void
typealias Hand = @convention(c) (Address, Address, Work) -> Void

/// The C function called `name`, as the program would find it.
///
/// Safe where `type` is its type.
func c<Function>(_ name: String, as type: Function.Type) -> Function {
  unsafe unsafeBitCast(dlsym(nil, name), to: type)
}

/// Work that a queue could be given.
let nothing: Work = { _ in }
var pool: Address {
  unsafe c("dispatch_get_global_queue", as: (@convention(c) (Int, UInt) -> Address).self)(0, 0)
}
/// A queue that has something to do.
private var busyQueue: Address {
  let made = unsafe c(
    "dispatch_queue_create", as: (@convention(c) (UnsafePointer<CChar>, Address) -> Address).self)("x", nil)
  unsafe c("dispatch_async_f", as: Hand.self)(made, nil, nothing)
  return unsafe made
}

/// Waits for a queue by the function of C called `name`.
func waitsForQueue(_ name: String) {
  unsafe c(name, as: Hand.self)(busyQueue, nil, nothing)
  fatalError("nothing else can run")
}

/// The same by one that takes a block.
func waitsForQueue(_ name: String, block: @escaping @convention(block) () -> Void) {
  unsafe c(name, as: (@convention(c) (Address, @convention(block) () -> Void) -> Void).self)(busyQueue, block)
  fatalError("nothing else can run")
}

var group: Address { unsafe c("dispatch_group_create", as: (@convention(c) () -> Address).self)() }

// MARK: - What they use

/// The set of one signal.
func signals(_ number: Int32) -> sigset_t {
  var set = sigset_t()
  unsafe sigemptyset(&set)
  unsafe sigaddset(&set, number)
  return set
}

/// Calls what asynchronous code may not call itself.
@inline(never) func here(_ body: () throws -> Void) rethrows { try body() }

/// What a thread leaves for another one, without a lock.
final class Mailslot: @unchecked Sendable {
  // @unchecked Sendable because the work that would write it is never run.
  var isFilled = false
}

/// A thread that waits for work, without being told of it: it looks.
final class LookingThread: Sendable {
  private struct State {
    var work: [@Sendable () -> Void] = []
    var isBusy = false
    var isOver = false
  }

  // A lock that the thread sanitizer sees: a contended `Mutex` is invisible to it.
  private let lock = NSLock()
  // Safe: only `change` reaches it.
  private nonisolated(unsafe) var state = State()

  init() {
    Thread.detachNewThread { [self] in
      while !change({ $0.isOver }) {
        Thread.sleep(forTimeInterval: 0.02)
        let work = change { state in
          defer { state.work = [] }
          state.isBusy = !state.work.isEmpty
          return state.work
        }
        work.forEach { $0() }
        change { $0.isBusy = false }
      }
    }
  }

  var isIdle: Bool { change { $0.work.isEmpty && !$0.isBusy } }

  func submit(_ item: @escaping @Sendable () -> Void) { change { $0.work.append(item) } }
  func end() { change { $0.isOver = true } }

  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return unsafe body(&state)
  }
}
