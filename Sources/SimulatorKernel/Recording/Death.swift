internal import CProcesses
internal import Glibc
package import SimulatorCore

/// The end of a process during an execution: its cause and its place.
package struct Death: Sendable {
  /// The cause of the end.
  package enum Cause: Hashable, Sendable {
    case signal(Int32)
    case exit(Int32)
    /// Nothing moved for this long.
    case stalled(Duration)
    /// More than this many bytes of memory were in use.
    case tooLarge(UInt64)
    /// The search had used up its time, which is no violation.
    case late
  }

  /// The kind of work that was going on.
  enum Place: Hashable, Sendable {
    case step
    case betweenSteps
    case action
  }

  package private(set) var cause: Cause
  private(set) var place: Place
  /// The last step that began.
  package private(set) var step: Int
  /// The number of actions that had begun.
  let acts: Int
  /// True if the execution was over, and only what it had left behind was being run out.
  private(set) var isTearDown: Bool
  /// All decisions until then.
  package let choices: [Schedule.Choice]
  /// The last error that the process wrote to its standard error.
  let crashMessage: String?
  /// The code that was running, innermost first; empty if it was not noted.
  var addresses: [UInt] = []
  /// The signal that the program had sent itself, if that ended the process.
  var sent: Int32?
  /// The code that first resumed a continuation whose second resumption ended the process, innermost first. Empty if
  /// the process ended for another reason, or if the first call was not seen.
  var earlierAddresses: [UInt] = []
  /// The violations reported since the last step or action began. The execution that is described stops before that.
  var failures: [Failure] = []
  /// True if other steps were parked: one of them may have held what the running step waited for.
  var hasParked = false
  /// True if others could have run, or waited for time to pass: one of them may do what the running step waits for.
  var hasOthers = false
}

extension Death {
  /// Reads from its recorder how another process ended. `errors` is what that process wrote to its standard error.
  package init(_ cause: Cause, in recorder: FlightRecorder, errors: String) {
    self.init(
      cause: cause, place: recorder.place, step: recorder.steps, acts: recorder.acts,
      isTearDown: recorder.isTearingDown, choices: recorder.choices ?? [],
      crashMessage: CrashReporter.message(in: errors), addresses: recorder.addresses(of: cause),
      sent: recorder.sent(by: cause), earlierAddresses: recorder.earlierAddresses,
      failures: recorder.failures, hasParked: recorder.hasParked, hasOthers: recorder.hasOthers)
  }
}

extension FlightRecorder {
  /// Returns the code that ended the process, or that ran when a signal ended it, innermost first.
  fileprivate func addresses(of cause: Death.Cause) -> [UInt] {
    var addresses = [UInt](repeating: 0, count: Int(CP_MOST_CALLERS))
    var count: UInt32 = 0
    let isNoted =
      switch cause {
      case .signal(let number): unsafe cp_read_ending(page, number, 0, &addresses, &count)
      case .exit(let status): unsafe cp_read_ending(page, 0, status, &addresses, &count)
      case .stalled, .tooLarge, .late: false
      }
    if !isNoted { count = unsafe cp_read_death(page, &addresses) }
    return Array(addresses.prefix(Int(count)))
  }

  /// Returns the signal that the program had sent itself, if that ended its process.
  fileprivate func sent(by cause: Death.Cause) -> Int32? {
    guard case .signal(let number) = cause else { return nil }
    return sent(endingBy: number)
  }

  /// Returns the signal that the program had sent itself, if that led to an end by the signal `number`.
  package func sent(endingBy number: Int32) -> Int32? {
    let sent = unsafe cp_sent(page, number)
    return sent == 0 ? nil : sent
  }

  /// The code that first did what ended the process when it was done again.
  fileprivate var earlierAddresses: [UInt] {
    var addresses = [UInt](repeating: 0, count: Int(CP_MOST_CALLERS))
    let count = unsafe cp_read_earlier(page, &addresses)
    return Array(addresses.prefix(Int(count)))
  }

  /// Returns what ended its process, from the result of waiting for it. If that result `isLost`, a note made here
  /// replaces it.
  package func cause(signal: Int32, status: Int32, isLost: Bool) -> Death.Cause {
    var end = cp_end()
    (end.signal, end.status, end.is_lost) = (signal, status, isLost)
    end = unsafe cp_found_end(end, page)
    return end.signal != 0 ? .signal(end.signal) : .exit(end.status)
  }

  /// The kind of work that is going on.
  var place: Death.Place {
    switch unsafe Int32(page.pointee.phase) {
    case CP_STEP: .step
    case CP_ACTING: .action
    default: .betweenSteps
    }
  }
}

extension Death {
  /// The same death at an earlier point, where its cause may be: damaged memory shows only later. Nil if there is none.
  package var earlier: Death? {
    guard step > 1 || isTearDown || place != .step else { return nil }
    var death = self
    if !isTearDown, place == .step { death.step = step / 2 }
    (death.place, death.isTearDown) = (.step, false)
    return death
  }

  /// Returns the same death with another cause.
  package func with(_ cause: Cause) -> Death {
    var death = self
    death.cause = cause
    return death
  }

  /// The invariant that it violates.
  package var invariant: String {
    // A parked step may hold a lock that the simulator does not know, and nothing is known of such a lock.
    if case .stalled = cause { return hasParked ? Invariant.BuiltIn.escape : Invariant.BuiltIn.noHang }
    return Invariant.BuiltIn.noCrash
  }

  /// The end of the execution.
  package enum Ending {
    case processEnds, hangs

    /// The event by which the trace shows it.
    package var event: Trace.Event.Kind {
      switch self {
      case .processEnds: .crashed
      case .hangs: .hung
      }
    }
  }

  package var ending: Ending {
    if case .stalled = cause { return .hangs }
    return .processEnds
  }

  /// True if it took real time or memory to detect.
  package var isCostly: Bool {
    switch cause {
    case .signal, .exit, .late: false
    case .stalled, .tooLarge: true
    }
  }

  /// The description of what happened, in the process's own words if it left any.
  package var message: String {
    if let sent { return Self.words(ofSent: sent) }
    return switch cause {
    case .signal(let number):
      crashMessage.map { "the process ended: \($0)" } ?? "the process ended by \(Self.name(ofSignal: number))"
    case .exit(let status):
      sanitizerWords.map { "the process ended: \($0)" } ?? "the process was ended by exit(\(status))"
    case .stalled(let time) where hasParked:
      "a step waits, for \(time.shortText) of real time, while another stands in its middle that may have what it waits for, "
        + "as a lock that the simulator does not know: keep steps whole by `Simulation.Options(steps: .atomic)`, or "
        + "`\"steps\": \"whole\"` under `search`"
    case .stalled(let time) where hasOthers:
      "no step began or ended for \(time.shortText) of real time, while others could run: a step that goes round until one of "
        + "them has changed what it reads, without a lock or a queue, ends on a real machine and is not seen to wait here"
    case .stalled(let time): "no step began or ended for \(time.shortText) of real time"
    case .late: "the time was over that the search may take"
    case .tooLarge(let bytes): "the process used more than \(Self.text(bytes: bytes)) of memory"
    }
  }

  /// The summary of a sanitizer's report. A sanitizer ends the process by `exit` after it.
  private var sanitizerWords: String? { crashMessage.flatMap { $0.hasPrefix("SUMMARY: ") ? $0 : nil } }

  /// Returns words for the end of a process of which nothing else is known. They continue a sentence.
  package static func words(for cause: Cause) -> String {
    switch cause {
    case .signal(let number): "it ended by \(name(ofSignal: number))"
    case .exit(let status): "it was ended by exit(\(status))"
    case .stalled(let time): "nothing moved in it for \(time.shortText)"
    case .tooLarge(let bytes): "it used more than \(text(bytes: bytes)) of memory"
    case .late: "the time was over that the search may take"
    }
  }

  private static func name(ofSignal number: Int32) -> String {
    switch number {
    case SIGILL: "SIGILL: a trap, as of an overflow, an index out of range or a broken precondition"
    case SIGTRAP: "SIGTRAP: a trap, as of an overflow, an index out of range or a broken precondition"
    case SIGABRT: "SIGABRT: abort"
    case SIGSEGV: "SIGSEGV: a bad address, or recursion that used up the stack"
    case SIGBUS: "SIGBUS: a bad address"
    case SIGFPE: "SIGFPE: an arithmetic error"
    case SIGKILL: "SIGKILL, from the system or from itself"
    case SIGPIPE: "SIGPIPE: it wrote to a pipe or a connection that the reader had closed"
    case SIGXFSZ: "SIGXFSZ: it wrote more to a file than a process may"
    default: plainName(ofSignal: number)
    }
  }

  private static func plainName(ofSignal number: Int32) -> String {
    unsafe cp_signal_name(number).map { unsafe "SIG" + String(cString: $0) } ?? "signal \(number)"
  }

  private static func words(ofSent number: Int32) -> String {
    let name = plainName(ofSignal: number)
    return cp_stops(number)
      ? "the process stopped, and only another process could let it go on: the program sent itself \(name)"
      : "the process ended: the program sent itself \(name)"
  }

  private static func text(bytes: UInt64) -> String {
    bytes.isMultiple(of: 1 << 30) ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
  }
}

/// Turns what a dying process writes into one line of a report.
package enum CrashReporter {
  /// Installs the reporter: when a signal ends this process within an execution, it first writes a line with the
  /// schedule.
  package static func install() {
    _ = isInstalled
  }

  private static let isInstalled = unsafe cp_crash_reporter(Schedule.Token.Build.current.rawValue)

  /// Returns the error that ended the process; nil if it wrote nothing. The error begins where the standard library
  /// last began one, or at a sanitizer's summary, and ends before the stack trace; without those it is the last line.
  /// Addresses are left out, because they differ from run to run.
  static func message(in text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline)
    let start =
      lines.lastIndex { line in
        line.hasPrefix("SUMMARY: ") || beginnings.contains(where: line.contains)
      } ?? lines.indices.last
    guard let start else { return nil }
    let words = lines[start...].prefix { !$0.hasPrefix("Current stack trace") }.joined(separator: " ")
      .replacing(/0x[0-9a-fA-F]{6,}/, with: "0x…")
    let plain = String(words.map { $0.unicodeScalars.allSatisfy(isPlain) ? $0 : "?" })
    return plain.count > 400 ? plain.prefix(400) + "…" : plain
  }

  private static let beginnings = ["Fatal error", ": Precondition failed", ": Assertion failed"]

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
