/// Programs about one part of the runtime.
public struct LitmusTheme: Sendable {
  /// The heading of the theme.
  public let name: String

  /// The programs, simplest first.
  public let programs: [Litmus]

  /// Whether the programs are about what only shows where steps overlap: they are searched there.
  public let overlaps: Bool

  init(_ name: String, overlaps: Bool = false, _ programs: [Litmus]) {
    self.name = name
    self.overlaps = overlaps
    self.programs = programs
  }

  /// Every theme, in the order of the table.
  public static let all: [LitmusTheme] = [
    hops, staying, actorChains, sharedMemory, fifo, mainActor, priorities, groups, asyncLet, continuations,
    streams,
    cancellation, immediate, unowned, surroundings, executors, timers, instants, instantsOfSources,
    instantsOfWaits, points, pointsOfTasks, locks, triedLocks, observation, queues, waitsForQueues, threads,
    sessions, draws,
    references, atomics,
  ]
}

extension Litmus {
  /// Every program of every theme.
  public static let all: [Litmus] = LitmusTheme.all.flatMap(\.programs)
}
