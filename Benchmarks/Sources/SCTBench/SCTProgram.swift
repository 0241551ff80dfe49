public import Simulator

/// A program of SCTBench (Thomson, Donaldson, Betts: Concurrency Testing Using Controlled Schedulers, TOPC 2016),
/// written again from its published behaviour: a thread is a task, a shared variable a register whose reads and writes
/// suspend, a failed assertion a violation.
public struct SCTProgram: Sendable {
  /// The name that papers use.
  public let name: String

  /// How many threads the original has, the main one included.
  public let threads: Int

  /// How many events the original has; nil where no figure is published.
  public let events: Int?

  /// The mean number of schedules to the first bug that is published for each strategy; `never` where there is none.
  public let published: [String: Int]

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
    self.body = body
  }
}

extension SCTProgram {
  /// Every program of the table, with the figures that accompany SURW (ASPLOS 2025, the authors’ data).
  public static let all: [SCTProgram] = [
    account, bluetooth, circularBuffer, deadlock01, lazy01, stack, tokenRing,
    twostage(1, threads: 3, events: 11, surw: 8, pct: 13, pos: 15, random: 464),
    twostage(19, threads: 21, events: nil, surw: 6, pct: 159, pos: 156, random: never),
    twostage(49, threads: 51, events: nil, surw: 20, pct: 1676, pos: 1637, random: never),
    wronglock(3, threads: 5, events: 25, surw: 9, pct: 58, pos: 11, random: 36),
    wronglock(7, threads: 9, events: 49, surw: 7, pct: 51, pos: 10, random: 36),
    reorder(2, threads: 4, events: 12, surw: 7, pct: 185, pos: 86, random: never),
    reorder(4, threads: 6, events: 20, surw: 10, pct: 647, pos: 2169, random: never),
    reorder(9, threads: 11, events: 40, surw: 17, pct: 3225, pos: never, random: never),
    reorder(19, threads: 21, events: 89, surw: 6, pct: 3005, pos: never, random: never),
    reorder(49, threads: 51, events: nil, surw: 13, pct: 3304, pos: never, random: never),
    stringBuffer,
  ]
}
