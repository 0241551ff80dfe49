internal import CProcesses
internal import Glibc

/// How an execution ended its process, and where.
package struct Death: Sendable {
  /// What ended it.
  package enum Cause: Hashable, Sendable {
    case signal(Int32)
    case exit(Int32)
    /// Nothing moved for so long.
    case stalled(Duration)
    /// More than so many bytes of memory were in use.
    case tooLarge(UInt64)
    /// The time was over that the search may take, which is no violation.
    case late
  }

  /// What was going on.
  enum Place: Hashable, Sendable {
    case step
    case betweenSteps
    case action
  }

  private(set) var cause: Cause
  private(set) var place: Place
  /// The step that was the last to begin.
  private(set) var step: Int
  /// How many actions had begun.
  let acts: Int
  /// Whether the execution was over, and only what it had left behind was being run out.
  private(set) var isTearDown: Bool
  /// All that had been decided.
  let choices: [Schedule.Choice]
  /// What the process wrote last on its standard error.
  let crashMessage: String?
  /// The code that was running, innermost first; empty where a signal did not tell.
  var addresses: [UInt] = []
  /// The signal that the program had sent itself, where that is what ended it.
  var sent: Int32?
  /// Where a continuation was resumed first that was now resumed a second time, innermost first; empty where that is not
  /// what ended the process, or where the first call was not seen.
  var earlierAddresses: [UInt] = []
  /// What was said to be violated since the last step or action had begun. The execution is left off before that.
  var failures: [Failure] = []
  /// Whether other steps stood in their middle: one of them may have had what the running step waited for.
  var hasStanding = false
  /// Whether others could have run, or waited for time to pass: one of them may do what the running step waits for.
  var hasOthers = false
}

extension Death {
  /// How another process came to its end, as its recorder has it; `errors` is what it wrote on its standard error.
  package init(_ cause: Cause, in recorder: FlightRecorder, errors: String) {
    self.init(
      cause: cause, place: recorder.place, step: recorder.steps, acts: recorder.acts,
      isTearDown: recorder.isTearingDown, choices: recorder.choices ?? [],
      crashMessage: CrashReporter.message(in: errors), addresses: recorder.addresses(of: cause),
      sent: recorder.sent(by: cause), earlierAddresses: recorder.earlierAddresses,
      failures: recorder.failures, hasStanding: recorder.hasStanding, hasOthers: recorder.hasOthers)
  }
}

extension FlightRecorder {
  /// The code that ended the process, or ran when a signal did, innermost first.
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

  /// The signal that the program had sent itself, where that is what ended its process.
  fileprivate func sent(by cause: Death.Cause) -> Int32? {
    guard case .signal(let number) = cause else { return nil }
    return sent(endingBy: number)
  }

  /// The signal that the program had sent itself, where that led to an end by the signal `number`.
  func sent(endingBy number: Int32) -> Int32? {
    let sent = unsafe cp_sent(page, number)
    return sent == 0 ? nil : sent
  }

  /// The code that had done before what then ended the process.
  fileprivate var earlierAddresses: [UInt] {
    var addresses = [UInt](repeating: 0, count: Int(CP_MOST_CALLERS))
    let count = unsafe cp_read_earlier(page, &addresses)
    return Array(addresses.prefix(Int(count)))
  }

  /// What ended its process, as it was waited for; where how that ended `isLost`, as far as is noted here.
  package func cause(signal: Int32, status: Int32, isLost: Bool) -> Death.Cause {
    var end = cp_end()
    (end.signal, end.status, end.is_lost) = (signal, status, isLost)
    end = unsafe cp_found_end(end, page)
    return end.signal != 0 ? .signal(end.signal) : .exit(end.status)
  }

  /// What was going on.
  var place: Death.Place {
    switch unsafe Int32(page.pointee.phase) {
    case CP_STEP: .step
    case CP_ACTING: .action
    default: .betweenSteps
    }
  }
}

extension Death {
  /// The same where it may have begun: what spoils memory shows later. Nil where there is nothing before it.
  var earlier: Death? {
    guard step > 1 || isTearDown || place != .step else { return nil }
    var death = self
    if !isTearDown, place == .step { death.step = step / 2 }
    (death.place, death.isTearDown) = (.step, false)
    return death
  }

  /// The same for another reason.
  func with(_ cause: Cause) -> Death {
    var death = self
    death.cause = cause
    return death
  }

  /// The invariant that it violates.
  var invariant: String {
    // Nothing is known of a lock that the simulator does not know.
    if case .stalled = cause { return hasStanding ? Invariant.BuiltIn.escape : Invariant.BuiltIn.noHang }
    return Invariant.BuiltIn.noCrash
  }

  /// How the execution comes to its end, as far as its timeline shows it.
  enum Ending {
    case processEnds, hangs

    /// What the timeline shows where it happens.
    var text: String {
      switch self {
      case .processEnds: "✗ the process ends"
      case .hangs: "✗ does not return"
      }
    }
  }

  var ending: Ending {
    if case .stalled = cause { return .hangs }
    return .processEnds
  }

  /// Whether it took real time or memory to find out.
  var isCostly: Bool {
    switch cause {
    case .signal, .exit, .late: false
    case .stalled, .tooLarge: true
    }
  }

  /// What happened, in the process's own words where it had some.
  var message: String {
    if let sent { return Self.words(ofSent: sent) }
    return switch cause {
    case .signal(let number):
      crashMessage.map { "the process ended: \($0)" } ?? "the process ended by \(Self.name(ofSignal: number))"
    case .exit(let status):
      sanitizerWords.map { "the process ended: \($0)" } ?? "the process was ended by exit(\(status))"
    case .stalled(let time) where hasStanding:
      "a step waits, for \(time.shortText) of real time, while another stands in its middle that may have what it waits for, "
        + "as a lock that the simulator does not know: keep steps whole by `Simulation.Options(steps: .whole)`, or "
        + "`\"steps\": \"whole\"` under `search`"
    case .stalled(let time) where hasOthers:
      "no step began or ended for \(time.shortText) of real time, while others could run: a step that goes round until one of "
        + "them has changed what it reads, without a lock or a queue, ends on a real machine and is not seen to wait here"
    case .stalled(let time): "no step began or ended for \(time.shortText) of real time"
    case .late: "the time was over that the search may take"
    case .tooLarge(let bytes): "the process used more than \(Self.text(bytes: bytes)) of memory"
    }
  }

  /// A sanitizer ends the process by `exit`, after a report.
  private var sanitizerWords: String? { crashMessage.flatMap { $0.hasPrefix("SUMMARY: ") ? $0 : nil } }

  /// How a process ended of which no more is known, as a sentence goes on.
  static func words(for cause: Cause) -> String {
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

/// What a dying process writes, made fit for one line of a report.
enum CrashReporter {
  /// From here on, a signal that ends this process within an execution is preceded by a line with its schedule.
  static func install() {
    _ = isInstalled
  }

  private static let isInstalled = unsafe cp_crash_reporter(Schedule.Token.Build.current.rawValue)

  /// The error that ended it: from the last “Fatal error”, or a sanitizer's summary, to the stack trace, or else the last line; nil when it
  /// wrote nothing. What differs from run to run, an address, is left out.
  static func message(in text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline)
    let start =
      lines.lastIndex { $0.contains("Fatal error") || $0.hasPrefix("SUMMARY: ") } ?? lines.indices.last
    guard let start else { return nil }
    let words = lines[start...].prefix { !$0.hasPrefix("Current stack trace") }.joined(separator: " ")
      .replacing(/0x[0-9a-fA-F]{6,}/, with: "0x…")
    let plain = String(words.map { $0.unicodeScalars.allSatisfy(isPlain) ? $0 : "?" })
    return plain.count > 400 ? plain.prefix(400) + "…" : plain
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
