internal import Foundation

/// The run of tests that this process is a part of.
///
/// `swift test` starts a process for XCTest and then one for Swift Testing, and with `--parallel` one for each test of XCTest,
/// several at the same time. They have it in common that `swift test` is above them.
enum TestRun {
  /// The same text in all processes of a run, and never in another run: the boot of the machine, and the process of `swift test`
  /// with the time of its start. A process without one above it is a run of its own.
  static let name: String = {
    let boot = text("/proc/sys/kernel/random/boot_id").trimmingCharacters(in: .whitespacesAndNewlines)
    return "\(boot) \(starter)"
  }()

  /// The same text in no other process of a run.
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

  /// What the system says of a process.
  private struct KnownProcess {
    let name: String
    let parent: Int32
    /// Numbers are used again; together with the time of the start they are not.
    let identity: String

    /// Nil where the system says nothing.
    init?(_ number: Int32) {
      // The name is in brackets and may hold anything; after it come the state, the parent and more, the 20th of them the start.
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
