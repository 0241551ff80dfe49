import ScenarioFiles
import Simulator
import SimulatorReports

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
    let cure = isStrict ? "; --strict wants all of it: give it more time, or fewer schedules" : ""
    return "ended by \(why): " + left.compactMap(\.self).joined(separator: ", ") + cure
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

extension ShardSet {
  /// Which they are, and what that means.
  var text: String {
    guard held.count > 1 || isWhole else {
      return
        "shard \(Self.numbers(held)) of \(count): it began with nothing learned, and learned only from itself"
    }
    let which = isWhole ? count.counted("shard") : "shards \(Self.numbers(held)) of \(count)"
    let rest = isWhole ? "" : "; missing: \(Self.numbers(missing))"
    return "\(which): each began with nothing learned, and learned only from itself\(rest)"
  }

  /// Numbers that ascend, those in a row as `3-5`.
  static func numbers(_ numbers: [Int]) -> String {
    var rows: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = rows.last, number == last.upperBound + 1 {
        rows[rows.count - 1] = last.lowerBound...number
      } else {
        rows.append(number...number)
      }
    }
    return rows.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ", ")
  }
}

extension VariantReport {
  /// How many schedules were tried. The natural order counts in one shard, and may show something in each.
  var triedText: String {
    schedules == 0 && processes.shards != nil
      ? "in the natural order, which another shard counts" : schedules.counted("schedule")
  }

  /// How many behaviors there are, as far as that is known.
  var behaviorsText: String {
    (mayHaveMoreBehaviors ? "at least " : "") + behaviors.counted("behavior")
  }

  /// What the file knows and is no longer so.
  var outdated: [Complaint] {
    (gone.isEmpty || gone == [Expectation.anything] ? [] : [Complaint("no longer found", gone)])
      + replays.compactMap(\.complaint)
  }

  /// What fails the run whether it is strict or not. The first is about violations if there are unexpected ones.
  var complaints: [Complaint] {
    (unexpected.isEmpty ? [] : [Complaint("not expected", unexpected.map(\.invariant))]) + otherComplaints
  }

  /// What else fails the run.
  var otherComplaints: [Complaint] {
    (judgedAfterAll.isEmpty
      ? [] : [Complaint("tested, though the file says that nothing is", judgedAfterAll)])
      + (neverHappened.isEmpty ? [] : [Complaint("never happened", neverHappened)])
      + [unexpectedShortfall].compactMap { $0.map { Complaint($0) } }
      + (gone == [Expectation.anything]
        ? [Complaint("not found, though it is meant to break", ["raise --schedules"])] : [])
      + [notJudged].compactMap { $0.map { Complaint("not judged", [$0]) } }
  }
}

/// Something that is not as the file says.
struct Complaint {
  private let title: String
  private let details: [String]

  init(_ title: String, _ details: [String] = []) { (self.title, self.details) = (title, details) }

  /// In one line that stands out.
  var text: String { line(title.uppercased()) }
  /// In one line, within others.
  var quietText: String { line(title) }

  private func line(_ title: String) -> String {
    details.isEmpty ? title : "\(title): \(details.joined(separator: ", "))"
  }
}

extension StoryCoverage.Kind {
  /// One of them.
  var singular: String {
    switch self {
    case .actions: "distinct action"
    case .cancels: "cancel"
    case .answers: "answer"
    case .faults: "fault"
    case .settings: "setting"
    case .overlaps: "overlap"
    }
  }
}

extension ReplayReport {
  /// What is wrong with a recorded schedule; nil if it reproduces.
  fileprivate var complaint: Complaint? {
    let shown = Echo.plain(token, limit: 40)
    return switch outcome {
    case .reproduced, .hint: nil
    case .harmless: Complaint("recorded, but no longer violates anything", [shown])
    case .diverged: Complaint("recorded, but diverged", ["\(shown): \(detail ?? "")"])
    case .unreadable: Complaint("recorded, but unreadable", ["\(shown): \(detail ?? "")"])
    }
  }
}
