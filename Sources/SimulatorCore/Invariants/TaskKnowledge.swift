/// The facts that a monitor of this module may ask for about the tasks of its execution.
package protocol TaskKnowledge {
  /// Returns the task that made this one; nil for the root, and if no task made it.
  func maker(of task: Int) -> Int?

  /// Returns the time since which the task does nothing but sleep, or wait for a fake that takes its time; nil if it
  /// does anything else or waits for anything else.
  func asleepSince(_ task: Int) -> VirtualInstant?
}

/// A monitor that observes each task that the program cancels, with what is known of it.
package protocol TaskMonitor: Invariant.Monitor {
  /// Notes that a step of the program cancels `task`, which has not ended. The event follows.
  mutating func saw(cancelOf task: Int, _ tasks: any TaskKnowledge)
}
