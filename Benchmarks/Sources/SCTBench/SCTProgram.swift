public import Simulator

/// A program of SCTBench (Thomson, Donaldson, Betts: Concurrency Testing Using Controlled Schedulers, TOPC 2016),
/// written again from its published behavior; a failed assertion is a violation.
///
/// There are two ports of each. In the one a thread is a task, a shared variable a register whose reads and writes
/// suspend, and a lock an actor; its steps are wholes. In the other a thread is a task without an `await`, a lock a
/// `pthread_mutex_t`, and a variable that threads race for an `Atomic`; its steps overlap.
public struct SCTProgram: Sendable {
  /// The name that papers use.
  public let name: String

  /// How many threads the original has, the main one included.
  public let threads: Int

  /// How many events the original has; nil where no figure is published.
  public let events: Int?

  /// The mean number of schedules to the first bug that is published for each strategy; `never` where there is none.
  public let published: [String: Int]

  /// The level of steps that the port is written for.
  public let steps: Simulation.Options.Steps

  /// Whether the bug shows only where atomics are scheduling points, in a program that is built with the flag.
  public let needsAtomics: Bool

  /// The program.
  public let body: @Sendable (Simulation) async -> Void

  /// Stands for “not found within 10,000 schedules in any trial”.
  public static let never = Int.max

  init(
    _ name: String, threads: Int, events: Int?, surw: Int, pct: Int, pos: Int, random: Int,
    _ body: @escaping @Sendable (Simulation) async -> Void
  ) {
    self.name = name
    self.threads = threads
    self.events = events
    published = ["surw": surw, "pct": pct, "pos": pos, "random": random]
    steps = .atomic
    needsAtomics = false
    self.body = body
  }

  private init(
    ofThreads other: SCTProgram, needsAtomics: Bool, _ body: @escaping @Sendable (Simulation) async -> Void
  ) {
    name = other.name
    threads = other.threads
    events = other.events
    published = other.published
    steps = .preemptible
    self.needsAtomics = needsAtomics
    self.body = body
  }

  /// The other port of the same program.
  func ofThreads(
    needsAtomics: Bool = false, _ body: @escaping @Sendable (Simulation) async -> Void
  ) -> SCTProgram {
    SCTProgram(ofThreads: self, needsAtomics: needsAtomics, body)
  }
}

extension SCTProgram {
  /// Every program, with the figures that accompany SURW (ASPLOS 2025, the authors’ data); threads are tasks that suspend.
  public static let all: [SCTProgram] = [
    account, bluetooth, circularBuffer, deadlock01, lazy01, stack, tokenRing,
    twostage3, twostage20, twostage50, wronglock3, wronglock7,
    reorder3, reorder5, reorder10, reorder20, reorder50, stringBuffer,
  ]

  /// The same programs; threads are tasks that do not suspend, and meet at locks and atomics.
  public static let allOfThreads: [SCTProgram] = [
    accountOfThreads, bluetoothOfThreads, circularBufferOfThreads, deadlock01OfThreads, lazy01OfThreads,
    stackOfThreads, tokenRingOfThreads,
    twostageOfThreads(1, 1, twostage3), twostageOfThreads(10, 10, twostage20),
    twostageOfThreads(40, 10, twostage50),
    wronglockOfThreads(3, wronglock3), wronglockOfThreads(7, wronglock7),
    reorderOfThreads(2, 1, reorder3), reorderOfThreads(4, 1, reorder5), reorderOfThreads(9, 1, reorder10),
    reorderOfThreads(10, 10, reorder20), reorderOfThreads(40, 10, reorder50),
    stringBufferOfThreads,
  ]

  private static let twostage3 = twostage(
    1, 1, "twostage", threads: 3, events: 11, surw: 8, pct: 13, pos: 15, random: 464)
  private static let twostage20 = twostage(
    10, 10, "twostage_20", threads: 21, events: nil, surw: 6, pct: 159, pos: 156, random: never)
  private static let twostage50 = twostage(
    40, 10, "twostage_50", threads: 51, events: nil, surw: 20, pct: 1676, pos: 1637, random: never)
  private static let wronglock3 = wronglock(
    3, threads: 5, events: 25, surw: 9, pct: 58, pos: 11, random: 36)
  private static let wronglock7 = wronglock(
    7, threads: 9, events: 49, surw: 7, pct: 51, pos: 10, random: 36)
  private static let reorder3 = reorder(
    2, 1, "reorder_3", threads: 4, events: 12, surw: 7, pct: 185, pos: 86, random: never)
  private static let reorder5 = reorder(
    4, 1, "reorder_5", threads: 6, events: 20, surw: 10, pct: 647, pos: 2169, random: never)
  private static let reorder10 = reorder(
    9, 1, "reorder_10", threads: 11, events: 40, surw: 17, pct: 3225, pos: never, random: never)
  private static let reorder20 = reorder(
    10, 10, "reorder_20", threads: 21, events: 89, surw: 6, pct: 3005, pos: never, random: never)
  private static let reorder50 = reorder(
    40, 10, "reorder_50", threads: 51, events: nil, surw: 13, pct: 3304, pos: never, random: never)
}
