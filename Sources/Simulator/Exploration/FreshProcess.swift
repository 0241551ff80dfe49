internal import CProcesses
internal import Foundation

/// A process in which nothing of the program has run but what the test runner runs for one test: the test's arguments, its
/// conditions, and the traits around it.
///
/// It is a copy of a server that was copied from the test process before `main`. Its code and data are at the same addresses,
/// so what it does can be compared with what other copies of the test process do.
package final class FreshProcess {
  /// How long it may do nothing before it has come to its test.
  private static let patience = Duration.seconds(10)

  private let process: cp_fresh

  /// Whether there can be one: this is a test process, no debugger or sanitizer is part of it, and the environment variable
  /// `SIMULATOR_CONTAINED` is not 0.
  package static var canBeHad: Bool { cp_fresh_is_served() }

  /// Starts the test runner anew with these arguments; nil where that cannot be.
  package init?(arguments: [String]) {
    let bytes = arguments.flatMap { $0.utf8.filter { $0 != 0 } + [0] }.map { CChar(bitPattern: $0) }
    process = unsafe cp_fresh_begin(bytes, bytes.count)
    guard process.pid > 0 else { return nil }
  }

  deinit { cp_fresh_end(process) }

  /// What it answers; nil where it ends without an answer, does nothing for long, or the calling task is cancelled.
  package func answer<Answer: Decodable>(to request: some Encodable) -> Answer? {
    guard ProcessMessage.send(request, to: process.socket), waits(until: Self.patience) else { return nil }
    guard let begun: Bool = ProcessMessage.receive(from: process.socket), begun, waits(until: nil) else {
      return nil
    }
    return ProcessMessage.receive(from: process.socket)
  }

  /// Whether something comes before it has been still for so long.
  private func waits(until patience: Duration?) -> Bool {
    var stillness = cp_stillness_begin(process.pid)
    while true {
      var wait = cp_wait(descriptor: process.socket, ready: false)
      unsafe cp_wait_for(&wait, 1, 20)
      if wait.ready { return true }
      if Task.isCancelled { return false }
      let still = unsafe cp_stillness_now(&stillness, process.pid)
      if let patience, .nanoseconds(still) > patience { return false }
    }
  }
}

// MARK: - In such a process

extension FreshProcess {
  /// Whether this process is one.
  package static var isHere: Bool { cp_fresh_here() >= 0 }

  /// What it was made for, which it is asked once; nil where this cannot be read.
  package static func request<Request: Decodable>() -> Request? {
    ProcessMessage.receive(from: cp_fresh_here())
  }

  /// Says that the test has begun that it was made for.
  package static func begin() { _ = ProcessMessage.send(true, to: cp_fresh_here()) }

  /// Answers, and ends this process.
  package static func leave(answering answer: some Encodable) -> Never {
    _ = ProcessMessage.send(answer, to: cp_fresh_here())
    cp_leave(0)
  }
}
