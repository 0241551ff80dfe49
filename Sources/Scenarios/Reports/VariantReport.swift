import Simulator

/// What became of one variant in one scenario.
struct VariantReport: Equatable, Sendable {
  let name: String
  /// The violations that the file knows; none when the variant is to hold.
  let expected: [String]
  /// The first of each invariant, in the order found.
  let violations: [ViolationReport]
  /// What the recorded schedules led to, in the order of the file.
  let replays: [ReplayReport]
  let schedules: Int
  /// How many of the schedules violated something.
  let failures: Int
  /// How many of them behaved differently.
  let behaviours: Int
  let steps: Int
  /// What was covered completely; nil if nothing was.
  let exhaustion: ExhaustionReport?
  /// What was to be covered completely and was not, in words.
  let shortfall: String?
  /// How likely the next random schedule is to behave as none before.
  let goodTuringEstimate: Ratio?
  /// At how many points a cancel that may come everywhere has come.
  let cancellations: CancellationCoverage?
  /// The invariants that had nothing to judge, sorted.
  let vacuous: [String]
  let warnings: [String]
  /// Whether what is outdated fails it.
  let isStrict: Bool
  /// How long it took by the wall clock.
  let duration: Duration
  /// Why the search ended before its time; nil if it did not.
  var interruption: Report.Interruption?

  /// Whether the search was told to end before it had tried all that it was to try.
  var isStopped: Bool { interruption == .stopped }

  /// Whether nothing was violated.
  var holds: Bool { violations.isEmpty }

  /// The violations that the file does not know.
  var unexpected: [ViolationReport] { violations.filter { !$0.isExpected } }

  /// The violations that the file knows and that were not found.
  var noLongerFound: [String] {
    expected.filter { name in !violations.contains { $0.invariant == name } }
  }

  /// What the file knows and is no longer so, a sentence each.
  var outdated: [String] {
    // What a search that was stopped has not found, it might have.
    let gone = isStopped ? [] : noLongerFound
    return (gone.isEmpty ? [] : ["NO LONGER FOUND: \(gone.joined(separator: ", "))"])
      + replays.compactMap(\.complaint)
  }

  /// What fails the run whether it is strict or not, a sentence each.
  var complaints: [String] {
    let names = unexpected.map(\.invariant)
    return (names.isEmpty ? [] : ["NOT EXPECTED: \(names.joined(separator: ", "))"])
      + [unexpectedShortfall].compactMap { $0?.uppercased() }
  }

  /// Whether it does not fail the run.
  var isAsExpected: Bool { complaints.isEmpty && !(isStrict && !outdated.isEmpty) }

  /// A variant that violates what it is expected to stops early: nothing was to be covered.
  private var unexpectedShortfall: String? { expected.isEmpty && !isStopped ? shortfall : nil }
}
