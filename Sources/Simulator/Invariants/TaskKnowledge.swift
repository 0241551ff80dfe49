/// What a monitor of this module may ask about the tasks of its execution.
protocol TaskKnowledge {
  /// The task that has made this one; nil for the root, and where no task has.
  func maker(of task: Int) -> Int?

  /// Since when the task does nothing but sleep, or wait for a fake that takes its time; nil where it does or waits for
  /// anything else.
  func asleepSince(_ task: Int) -> VirtualInstant?
}

/// A monitor that is told what is known of a task that the program cancels.
protocol TaskMonitor: Invariant.Monitor {
  /// A step of the program cancels `task`, which has not ended. The event follows.
  mutating func saw(cancelOf task: Int, _ tasks: any TaskKnowledge)
}
