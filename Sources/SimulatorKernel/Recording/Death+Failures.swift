internal import CProcesses
internal import SimulatorCore

// The violations reported in the very step in which a process ended. That step is run nowhere else, so they are kept.

extension Death {
  /// A violation that was reported before the process ended.
  struct Failure: Hashable, Sendable {
    let invariant: String
    let message: String
    let diagnosis: Invariant.Diagnosis?
    /// The name under which the trace knows it.
    let mark: String
  }
}

extension FlightRecorder {
  /// Keeps a violation for the process that learns how this one ended.
  func tell(_ failure: Death.Failure) {
    guard isShared else { return }
    var text = failure.encoded
    _ = text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
        unsafe cp_write_failure(page, text, bytes.count)
      }
    }
  }

  /// The violations reported in the last step or action that began.
  var failures: [Death.Failure] {
    guard isShared else { return [] }
    var bytes = [CChar](repeating: 0, count: Int(CP_MOST_FAILURES))
    let size = unsafe cp_read_failures(page, &bytes)
    let text = String(decoding: bytes.prefix(size).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: Death.Failure.end).compactMap { Death.Failure(decoding: $0) }
  }
}

extension Death.Failure {
  /// The separators: `end` comes after each failure, `gap` between its parts.
  fileprivate static let end: Character = "\u{1E}"
  private static let gap: Character = "\u{1F}"
  /// The most bytes that a part may have, so that several failures fit.
  private static let longest = 500

  fileprivate var encoded: String {
    let parts = [invariant, mark, diagnosis?.name ?? "", message].map { part in
      let plain = part.filter { $0 != Self.end && $0 != Self.gap }
      return plain.utf8.count > Self.longest ? plain.prefix(Self.longest / 4) + "…" : plain
    }
    return parts.joined(separator: String(Self.gap)) + String(Self.end)
  }

  fileprivate init?(decoding text: Substring) {
    let parts = text.split(separator: Self.gap, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, !parts[0].isEmpty else { return nil }
    self.init(
      invariant: parts[0], message: parts[3],
      diagnosis: parts[2].isEmpty ? nil : Invariant.Diagnosis(parts[2]), mark: parts[1])
  }
}
