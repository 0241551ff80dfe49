internal import SimulatorCore

/// A process of the simulated machine, such as an app: it can be killed, and launched again with what it has left
/// behind.
///
/// The tasks that it is launched with, and all tasks that they make, belong to the process. The outside world belongs
/// to no process: the test's own tasks, the fakes, and everything that was made outside the process.
///
/// ```swift
/// let keychain = FakeStore(writeDelay: .milliseconds(50))
/// let app = simulation.launch("app") { try? await Session(keychain: keychain).logOut() }
/// simulation.anytime("the process dies") { app.kill() }
/// ```
public final class SimulatedProcess: Sendable {
  /// The name that reports use.
  public let name: String
  let number: Processes.Number

  init(_ name: String, _ number: Processes.Number) {
    self.name = name
    self.number = number
  }

  /// Kills the process, here and now: its memory is gone, and what is durable stays. O(tasks alive, and what waits).
  /// Has no effect if the process has died before.
  ///
  /// - Its tasks are never resumed. They are not cancelled: no handler, no `defer` and no `catch` of theirs runs. A
  ///   step of its own that is running goes on to where it next suspends. Once the execution is over, and nothing is
  ///   recorded or judged any more, its tasks are run out to free their memory, like everything that an execution
  ///   leaves behind.
  /// - A call of a ``FakeStore`` that has not changed anything yet no longer changes anything; what has been committed
  ///   stays. An open transaction is rolled back, and others get their turn.
  /// - A request that is in flight to a ``FakeNetwork`` arrives, and the server does what it is asked to do. The answer
  ///   reaches no one. So one moment to die is before the server acts, and another is after.
  /// - Monitors that count what is alive, leaks or waits forever do not report it. A task outside that waits for one of
  ///   its tasks waits forever.
  /// - Its own threads, its event sources, and what its own executors keep are not ended.
  public func kill() {
    let simulation = Simulation.current
    refuse(if: simulation == nil, "a simulated process is killed inside its simulation, on its thread")
    guard let scheduler = simulation?.checked else { return }
    scheduler.recorder.saw(.died(process: name), scheduler)
    scheduler.kill(number)
  }
}

extension Simulation {
  /// Launches a process that runs `body` in a task of its own.
  ///
  /// - Parameters:
  ///   - name: The name that reports use.
  ///   - body: The work of the process; it may go on after this has returned, in tasks of its own.
  /// - Returns: The process, which can be killed.
  @discardableResult
  public func launch(
    _ name: String = "process", _ body: @escaping @Sendable () async -> Void
  ) -> SimulatedProcess {
    let process = SimulatedProcess(name, newProcess())
    within(process) {
      let task = Task(name: name) { await body() }
      keep(task)
    }
    return process
  }

  /// Returns a process that does nothing yet.
  package func process(_ name: String) -> SimulatedProcess { SimulatedProcess(name, newProcess()) }

  private func newProcess() -> Processes.Number {
    let number = checked.tables.processes.launch()
    refuse(if: number == nil, "an execution has room for \(Processes.Number.max) processes: launch fewer")
    return number ?? 0
  }

  /// Runs `body`; the tasks that it makes belong to `process`.
  package func within<Result>(_ process: SimulatedProcess, _ body: () throws -> Result) rethrows -> Result {
    let scheduler = checked
    let outer = scheduler.state.launching
    scheduler.state.launching = process.number
    defer { scheduler.state.launching = outer }
    return try body()
  }

  /// Replaces each monitor that does not outlive a process by a fresh one, and stops observing what was observed: a
  /// process has died, and what it still owed died with it.
  package func judgesAnew() {
    let scheduler = checked
    scheduler.monitors.judgeAnew(before: scheduler.recorder.nextCall(), scheduler)
  }

  /// Keeps `object` from being freed before the execution is over.
  package func keepAlive(_ object: AnyObject) { checked.tables.processes.keep(object) }

  /// Performs `act`, between steps, when the process of the running task dies; never if the task belongs to no process.
  package func whenProcessDies(_ act: @escaping () -> Void) {
    let scheduler = checked
    let task = scheduler.currentTask
    guard task >= 0, scheduler.tasks[task].process > 0 else { return }
    scheduler.tables.processes.whenDies(scheduler.tasks[task].process) { scheduler.betweenSteps(act) }
  }

  /// True if the process of the running task has died.
  package var isOfDeadProcess: Bool {
    let scheduler = checked
    return scheduler.isDead(scheduler.currentTask)
  }

  /// Notes whether, from here on, the running task does what a server does for it. Such work goes on when its process
  /// dies.
  package func isServed(_ isServed: Bool) {
    let scheduler = checked
    let task = scheduler.currentTask
    if task >= 0 { scheduler.tasks.setServed(task, isServed) }
  }
}
