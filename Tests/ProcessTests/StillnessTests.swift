import CProcesses
import Foundation
import Testing

/// For how long a process stands still decides whether its program hangs.
@Suite struct `How long a process stands still` {
  @Test func `leaves out the time in which it waits for a processor`() throws {
    // Twice as many as the processors can run at once: half the time each of them waits for one.
    let count = 2 * Int(cp_processors())
    let busy = try (0..<count).map { _ in try Self.start("while :; do :; done") }
    defer { for process in busy { Self.end(process) } }
    var stillness = busy.map { cp_stillness_begin($0.processIdentifier) }
    let began = cp_now()
    while cp_now() - began < 1_000_000_000 {
      usleep(20_000)
      for index in busy.indices {
        _ = unsafe cp_stillness_now(&stillness[index], busy[index].processIdentifier)
      }
    }
    let still = stillness.reduce(0) { $0 + $1.still }
    // What the processors have, and some to spare.
    #expect(still < Int64(Double(cp_now() - began) * Double(cp_processors()) * 1.5))
  }

  @Test func `is all the time that passes while it sleeps`() throws {
    let sleeper = try Self.start("exec sleep 60")
    defer { Self.end(sleeper) }
    var stillness = cp_stillness_begin(sleeper.processIdentifier)
    let began = cp_now()
    var still: Int64 = 0
    // As long as it takes the shell to begin, and then until it shows.
    while still < 200_000_000, cp_now() - began < 60_000_000_000 {
      usleep(20_000)
      still = unsafe cp_stillness_now(&stillness, sleeper.processIdentifier)
    }
    #expect(still >= 200_000_000)
  }

  private static func start(_ command: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    try process.run()
    return process
  }

  /// Until a child that has ended is waited for, a thread of Swift Testing spins and exit tests do not return.
  private static func end(_ process: Process) {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
