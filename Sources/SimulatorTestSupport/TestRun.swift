internal import Foundation

/// The test run that this process is a part of.
///
/// `swift test` starts a process for XCTest and then one for Swift Testing. With `--parallel`, it starts one for each
/// XCTest test, several at the same time. All these processes have `swift test` above them.
enum TestRun {
  /// A name that all processes of a run share, and no other run has: the boot of the machine, and the process of `swift
  /// test` with its start time. A process without one above it is a run of its own.
  static let name: String = {
    let boot = text("/proc/sys/kernel/random/boot_id").trimmingCharacters(in: .whitespacesAndNewlines)
    return "\(boot) \(starter)"
  }()

  /// A name that no other process of a run has.
  static let process = KnownProcess(getpid())?.identity ?? "\(getpid()) \(UInt64.random(in: 0...UInt64.max))"

  /// The nearest `swift test` above this process, or the process itself.
  private static var starter: String {
    var number = getppid()
    for _ in 0..<32 {
      guard number > 1, let known = KnownProcess(number) else { break }
      if known.name == "swift-test" { return known.identity }
      number = known.parent
    }
    return process
  }

  /// The system's information about a process.
  private struct KnownProcess {
    let name: String
    let parent: Int32
    /// Process numbers are reused; a number and a start time together are unique.
    let identity: String

    /// Nil if the system has no information.
    init?(_ number: Int32) {
      // The name is in brackets and may hold anything. After it come the state, the parent and more; the 20th of these
      // fields is the start time.
      let status = TestRun.text("/proc/\(number)/stat")
      guard let open = status.firstIndex(of: "("), let close = status.lastIndex(of: ")"), open < close else {
        return nil
      }
      let fields = status[status.index(after: close)...].split(separator: " ")
      guard fields.count > 19, let parent = Int32(fields[1]) else { return nil }
      name = String(status[status.index(after: open)..<close])
      self.parent = parent
      identity = "\(number) \(fields[19])"
    }
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
