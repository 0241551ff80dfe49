internal import Foundation
internal import SimulatorCore
internal import SimulatorKernel
internal import SimulatorStrategyInterface

/// The report of a process on a round that it has run.
struct LaneReport {
  /// One execution.
  struct Execution {
    /// Its outcome, without the facts that only the process that ran it can give.
    let outcome: Runner.Outcome
    /// The invariants that it violated.
    let violated: [String]
    /// True if there is more to report than its outcome.
    let isToBeSeen: Bool
    /// The schedule that it ran under, if the searching process may ask for it.
    let schedule: Schedule?
  }

  /// The summary of an execution that is not to be run again: 17 bytes.
  struct Brief {
    var behavior: UInt64 = 0
    var steps: UInt32 = 0
    /// One bit for each violated invariant, at its place among those that the process has named. The last stands for any other.
    var violated: UInt32 = 0
    var remarks: Remarks = []

    static let size = 17
    static let mostNames = 31
  }

  struct Remarks: OptionSet {
    let rawValue: UInt8
    static let isIndependent = Remarks(rawValue: 1)
    static let skippedUnfairSchedules = Remarks(rawValue: 2)
    static let keptWhole = Remarks(rawValue: 4)
    static let stoppedObserving = Remarks(rawValue: 8)
    static let hasTimeRanges = Remarks(rawValue: 16)
    static let choseDurationEagerly = Remarks(rawValue: 32)
    static let isUnjudged = Remarks(rawValue: 64)
    static let drewNumbers = Remarks(rawValue: 128)
  }

  /// The data needed to run an execution again.
  struct Note: Codable {
    /// Its place in the round.
    let index: Int
    let schedule: Schedule
    let digest: UInt64
    let isToBeSeen: Bool
    let violated: [String]
    /// The names that have places from here on.
    let named: [String]
  }

  let executions: [Execution]

  /// Reads the output of ``encode(_:_:)``; `names` are those that have places. Nil if the bytes are something else.
  init?(_ bytes: [UInt8], names: inout [String]) {
    guard let count = bytes.first.map(Int.init), bytes.count > count * Brief.size else { return nil }
    let rest = bytes[(1 + count * Brief.size)...]
    let decoded = rest.isEmpty ? [] : try? JSONDecoder().decode([Note].self, from: Data(rest))
    guard var notes = decoded?[...] else { return nil }
    var executions: [Execution] = []
    executions.reserveCapacity(count)
    for index in 0..<count {
      let brief = unsafe bytes.withUnsafeBytes { unsafe Brief(in: $0, at: 1 + index * Brief.size) }
      let note = notes.first?.index == index ? notes.popFirst() : nil
      names += note?.named ?? []
      guard let violated = note?.violated ?? brief.names(among: names) else { return nil }
      executions.append(
        Execution(
          outcome: Runner.Outcome(brief, digest: note?.digest ?? 0, violated: !violated.isEmpty),
          violated: violated, isToBeSeen: note?.isToBeSeen ?? false, schedule: note?.schedule))
    }
    self.executions = executions
  }

  static func encode(_ briefs: [Brief], _ notes: [Note]) -> [UInt8] {
    var bytes = [UInt8(briefs.count)]
    bytes.reserveCapacity(1 + briefs.count * Brief.size)
    for brief in briefs { brief.write(to: &bytes) }
    if !notes.isEmpty { bytes += (try? JSONEncoder().encode(notes)) ?? Data() }
    return bytes
  }
}

extension LaneReport.Brief {
  init(_ outcome: Runner.Outcome) {
    behavior = outcome.summary.behavior
    steps = UInt32(clamping: outcome.summary.steps)
    if outcome.isIndependent { remarks.insert(.isIndependent) }
    if outcome.skippedUnfairSchedules { remarks.insert(.skippedUnfairSchedules) }
    if outcome.keptWhole { remarks.insert(.keptWhole) }
    if outcome.stoppedObserving { remarks.insert(.stoppedObserving) }
    if outcome.summary.hasTimeRanges { remarks.insert(.hasTimeRanges) }
    if outcome.summary.choseDurationEagerly { remarks.insert(.choseDurationEagerly) }
    if outcome.summary.drewNumbers { remarks.insert(.drewNumbers) }
    if outcome.isUnjudged { remarks.insert(.isUnjudged) }
  }

  fileprivate init(in bytes: UnsafeRawBufferPointer, at offset: Int) {
    behavior = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    steps = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)
    violated = unsafe bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
    remarks = LaneReport.Remarks(rawValue: unsafe bytes[offset + 16])
  }

  fileprivate func write(to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: behavior) { unsafe bytes.append(contentsOf: $0) }
    unsafe withUnsafeBytes(of: steps) { unsafe bytes.append(contentsOf: $0) }
    unsafe withUnsafeBytes(of: violated) { unsafe bytes.append(contentsOf: $0) }
    bytes.append(remarks.rawValue)
  }

  /// Returns the names of the invariants that it violated; nil if it has a bit for which there is no name.
  fileprivate func names(among names: [String]) -> [String]? {
    if violated == 0 { return [] }
    guard violated >> UInt32(min(names.count, Self.mostNames)) == 0 else { return nil }
    return names.indices.filter { violated >> UInt32($0) & 1 == 1 }.map { names[$0] }
  }
}

extension Runner.Outcome {
  /// Creates an outcome that has everything the count needs.
  fileprivate init(_ brief: LaneReport.Brief, digest: UInt64, violated: Bool) {
    self.init(
      summary: Strategies.ExecutionSummary(
        choices: 0, orderChoices: 0, steps: Int(brief.steps), violated: violated, digest: digest,
        behavior: brief.behavior, hasTimeRanges: brief.remarks.contains(.hasTimeRanges),
        choseDurationEagerly: brief.remarks.contains(.choseDurationEagerly),
        drewNumbers: brief.remarks.contains(.drewNumbers)),
      isIndependent: brief.remarks.contains(.isIndependent), warnings: [], vacuous: nil, occurrences: [:],
      isCostly: false, isCutShort: false,
      isLong: false, skippedUnfairSchedules: brief.remarks.contains(.skippedUnfairSchedules), unseen: nil,
      needsOverlap: false,
      keptWhole: brief.remarks.contains(.keptWhole),
      stoppedObserving: brief.remarks.contains(.stoppedObserving),
      isUnjudged: brief.remarks.contains(.isUnjudged), suspicions: [], execution: nil)
  }
}
