internal import Foundation
internal import SimulatorCore
internal import SimulatorStrategyInterface

/// A log of the calls that a strategy got in one execution. The execution ran in a forked process; the log is
/// replayed in the original one, where the strategy then learns what it would have learned by running the execution there.
///
/// The entries are passed on as raw memory. Safe because both processes have the same image, and an entry has no references.
@safe final class StrategyLog {
  enum Entry {
    case offered(Strategies.Candidate)
    case withdrew(Strategies.Candidate)
    case took(Strategies.Candidate)
    case used(Int)
    case asked(Strategies.ChoicePoint)
    /// One of the timers that the next decision is about.
    case timer(Strategies.OpenTimer)
    /// An instant at which another timer may fire than the one that the next decision is about.
    case otherInstant(VirtualInstant)
    /// A decision about the timers that were logged since the last one.
    case askedOfTimers(Strategies.ChoicePoint, Strategies.ChoicePoint.TimerBounds)
    case timePassed
    case acted(Int)
    case accessed(Strategies.SharedObject, Strategies.Access)
  }

  private(set) var entries: ContiguousArray<Entry> = []

  init() {
    precondition(_isPOD(Entry.self), "what a strategy is told has references; write it down by value")
  }

  func add(_ entry: Entry) { entries.append(entry) }

  var bytes: Data { unsafe entries.withUnsafeBytes { unsafe Data($0) } }

  /// Returns the entries that `bytes` holds.
  static func entries(in bytes: Data) -> ContiguousArray<Entry> {
    let count = bytes.count / MemoryLayout<Entry>.stride
    return unsafe bytes.withUnsafeBytes { buffer in
      var entries: ContiguousArray<Entry> = []
      entries.reserveCapacity(count)
      for index in 0..<count {
        unsafe entries.append(
          buffer.loadUnaligned(fromByteOffset: index * MemoryLayout<Entry>.stride, as: Entry.self))
      }
      return entries
    }
  }
}

/// A strategy that also logs every call to it.
struct NotingStrategy: Strategies.PartObserver, Strategies.DependencyObserver {
  private var decisions: any SchedulingStrategy
  private var candidates: any Strategies.CandidateObserver
  private var parts: (any Strategies.PartObserver)?
  private var dependencies: any Strategies.DependencyObserver
  private let log: Unchecked

  // @unchecked Sendable because only the thread that runs the execution reaches the log.
  private struct Unchecked: @unchecked Sendable { let log: StrategyLog }

  init(
    _ decisions: any SchedulingStrategy, _ candidates: any Strategies.CandidateObserver,
    _ parts: (any Strategies.PartObserver)?, _ dependencies: any Strategies.DependencyObserver,
    _ log: StrategyLog
  ) {
    self.decisions = decisions
    self.candidates = candidates
    self.parts = parts
    self.dependencies = dependencies
    self.log = Unchecked(log: log)
  }

  var followsCandidates: Bool { candidates.followsCandidates }
  var followsParts: Bool { parts?.followsParts ?? false }
  var followsDependencies: Bool { dependencies.followsDependencies }

  mutating func began(_ number: Int, seed: UInt64) { decisions.began(number, seed: seed) }
  mutating func ended(_ summary: Strategies.ExecutionSummary) { decisions.ended(summary) }

  mutating func pick(_ point: Strategies.ChoicePoint) -> Strategies.Pick {
    if let timers = point.timers {
      for index in 0..<timers.count { log.log.add(.timer(timers[index])) }
      for instant in timers.otherInstants { log.log.add(.otherInstant(instant)) }
      log.log.add(.askedOfTimers(point.withoutTimers, timers.bounds))
    } else {
      log.log.add(.asked(point))
    }
    return decisions.pick(point)
  }

  mutating func offered(_ candidate: Strategies.Candidate) {
    log.log.add(.offered(candidate))
    candidates.offered(candidate)
  }

  mutating func withdrew(_ candidate: Strategies.Candidate) {
    log.log.add(.withdrew(candidate))
    candidates.withdrew(candidate)
  }

  mutating func took(_ candidate: Strategies.Candidate) {
    log.log.add(.took(candidate))
    candidates.took(candidate)
  }

  mutating func used(_ lock: Int) {
    log.log.add(.used(lock))
    parts?.used(lock)
  }

  mutating func timePassed() {
    log.log.add(.timePassed)
    dependencies.timePassed()
  }

  mutating func acted(_ action: Int) {
    log.log.add(.acted(action))
    dependencies.acted(action)
  }

  mutating func accessed(_ object: Strategies.SharedObject, _ access: Strategies.Access) {
    log.log.add(.accessed(object, access))
    dependencies.accessed(object, access)
  }
}
