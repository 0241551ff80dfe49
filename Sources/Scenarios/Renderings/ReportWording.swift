import Simulator

// The sentences about a report that several renderings share.

extension RunReport {
  /// What ended the run before everything was done, and what was left; nil if nothing was left.
  var cutShort: String? {
    guard isCutShort else { return nil }
    let why = ending.reason == .timeLimit ? "the time limit" : "a signal"
    let left = [
      stoppedVariants > 0 ? "\(stoppedVariants.counted("variant")) not searched to the end" : nil,
      ending.notBegun > 0 ? "\(ending.notBegun.counted("scenario")) not begun" : nil,
    ]
    return "ended by \(why): " + left.compactMap(\.self).joined(separator: ", ")
  }
}

extension RunReport {
  /// How many variants could not be judged; nil if all were.
  var notJudgedText: String? {
    guard notJudged > 0 else { return nil }
    return
      "not judged: \(notJudged.counted("variant")), because processes were ended by what no schedule shows again"
  }
}

extension VariantReport {
  /// What the file knows and is no longer so, a sentence each.
  var outdated: [String] {
    (gone.isEmpty ? [] : ["NO LONGER FOUND: \(gone.joined(separator: ", "))"])
      + replays.compactMap(\.complaint)
  }

  /// What fails the run whether it is strict or not, a sentence each.
  var complaints: [String] {
    let names = unexpected.map(\.invariant)
    return (names.isEmpty ? [] : ["NOT EXPECTED: \(names.joined(separator: ", "))"])
      + [unexpectedShortfall].compactMap { $0?.uppercased() }
      + [notJudged].compactMap { $0.map { "NOT JUDGED: \($0)" } }
  }
}

extension ReplayReport {
  /// What is wrong with a recorded schedule; nil if it reproduces.
  fileprivate var complaint: String? {
    let shown = Echo.plain(token, limit: 40)
    return switch outcome {
    case .reproduced, .hint: nil
    case .harmless: "RECORDED, BUT NO LONGER VIOLATES ANYTHING: \(shown)"
    case .diverged(let divergence): "RECORDED, BUT DIVERGED: \(shown): \(divergence)"
    case .unreadable(let error): "RECORDED, BUT UNREADABLE: \(shown): \(error)"
    }
  }
}
