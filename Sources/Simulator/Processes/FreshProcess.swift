internal import CProcesses
internal import Foundation

/// A process in which nothing of the program has run except what the test runner runs for one test: the test's
/// arguments, its conditions, and the traits around it.
///
/// It is a copy of a server that was copied from the test process before `main`. Its code and data are at the same
/// addresses, so what it does can be compared with what other copies of the test process do.
package final class FreshProcess {
  /// The longest time that it may do nothing before it reaches its test.
  private static let patience = Duration.seconds(10)

  private let process: cp_fresh

  /// True if there can be one: this is a test process, no debugger or sanitizer is part of it, and the environment
  /// variable `SIMULATOR_CONTAINED` is not 0.
  package static var canBeHad: Bool { cp_fresh_is_served() }

  /// Starts the test runner again with these arguments; nil if that is not possible.
  package init?(arguments: [String]) {
    let bytes = arguments.flatMap { $0.utf8.filter { $0 != 0 } + [0] }.map { CChar(bitPattern: $0) }
    process = unsafe cp_fresh_begin(bytes, bytes.count)
    guard process.pid > 0 else { return nil }
  }

  deinit { cp_fresh_end(process) }

  /// Sends `request` and returns the answer; nil if the process ends without one, does nothing for long, or the calling
  /// task is cancelled.
  package func answer<Answer: Decodable>(to request: some Encodable) -> Answer? {
    guard ProcessMessage.send(request, to: process.socket), waits(until: Self.patience) else { return nil }
    guard let begun: Bool = ProcessMessage.receive(from: process.socket), begun, waits(until: nil) else {
      return nil
    }
    return ProcessMessage.receive(from: process.socket)
  }

  /// Returns true if something arrives before the process has been still for `patience`.
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
  /// True if this process is a fresh process.
  package static var isHere: Bool { cp_fresh_here() >= 0 }

  /// Returns the request that this process was made for, which can be read once; nil if it cannot be read.
  package static func request<Request: Decodable>() -> Request? {
    ProcessMessage.receive(from: cp_fresh_here())
  }

  /// Reports that the test that it was made for has begun.
  package static func begin() { _ = ProcessMessage.send(true, to: cp_fresh_here()) }

  /// Sends the answer and ends this process.
  package static func leave(answering answer: some Encodable) -> Never {
    _ = ProcessMessage.send(answer, to: cp_fresh_here())
    cp_leave(0)
  }
}
