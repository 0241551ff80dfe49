/// A process of the simulated machine, such as an app: it can be killed, and launched again on what it has left behind.
///
/// To the process belong the tasks that it is launched with, and all that they make. The world outside belongs to
/// no process: the test's own tasks, the fakes, and what was made outside of it.
///
/// ```swift
/// let keychain = FakeStore(writeDelay: .milliseconds(50))
/// let app = simulation.launch("app") { try? await Session(keychain: keychain).logOut() }
/// simulation.anytime("the process dies") { app.kill() }
/// ```
public final class SimulatedProcess: Sendable {
  /// What reports call it.
  public let name: String
  let number: Processes.Number

  init(_ name: String, _ number: Processes.Number) {
    self.name = name
    self.number = number
  }

  /// The process dies, here and now: memory is gone, and what is durable stays. O(tasks alive, and what waits). Without effect
  /// when it has died before.
  ///
  /// - Its tasks are never resumed. They are not cancelled: no handler, no `defer` and no `catch` of theirs runs.
  ///   A step of its own that is just running goes on to where it next suspends. When the execution is over, and nothing is
  ///   recorded or judged any more, they are run out to free their memory, as all that an execution leaves behind.
  /// - A call of a ``FakeStore`` that has not changed anything yet changes nothing any more; what has been committed
  ///   stays. A transaction that is open is rolled back, and others have their turn.
  /// - A request that is on its way to a ``FakeNetwork`` gets there, and the server does what it is asked to; nobody
  ///   gets the answer. So one moment to die at is before the server acts, and another is after.
  /// - What counts what is alive, leaks or waits for ever says nothing of it. Who waits for one of its tasks from outside
  ///   waits for ever.
  /// - Not ended are threads of its own, sources of events, and what its own executors keep.
  public func kill() {
    let simulation = Simulation.current
    refuse(if: simulation == nil, "a simulated process is killed inside its simulation, on its thread")
    guard let scheduler = simulation?.checked else { return }
    scheduler.recorder.saw(.note("\(name) dies"), scheduler)
    scheduler.kill(number)
  }
}

extension Simulation {
  /// Launches a process that does `body` in a task of its own.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - body: What it does; it may go on when that has returned, in tasks of its own.
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

  /// A process that does nothing yet.
  package func process(_ name: String) -> SimulatedProcess { SimulatedProcess(name, newProcess()) }

  private func newProcess() -> Processes.Number {
    let number = checked.tables.processes.launch()
    refuse(if: number == nil, "an execution has room for \(Processes.Number.max) processes: launch fewer")
    return number ?? 0
  }

  /// The tasks that `body` makes belong to `process`.
  package func within<Result>(_ process: SimulatedProcess, _ body: () throws -> Result) rethrows -> Result {
    let scheduler = checked
    let outer = scheduler.state.launching
    scheduler.state.launching = process.number
    defer { scheduler.state.launching = outer }
    return try body()
  }

  /// Each monitor that does not outlive a process is replaced by a fresh one, and nothing that was observed is observed any
  /// more: a process has died, and what it still owed died with it.
  package func judgesAnew() {
    let scheduler = checked
    scheduler.monitors.judgeAnew(before: scheduler.recorder.nextCall(), scheduler)
  }

  /// `object` is not freed before the execution is over.
  package func keepAlive(_ object: AnyObject) { checked.tables.processes.keep(object) }

  /// `act` happens, between steps, when the process dies to which the running task belongs; never where that is none.
  func whenProcessDies(_ act: @escaping () -> Void) {
    let scheduler = checked
    let task = scheduler.currentTask
    guard task >= 0, scheduler.tasks[task].process > 0 else { return }
    scheduler.tables.processes.whenDies(scheduler.tasks[task].process) { scheduler.betweenSteps(act) }
  }

  /// Whether the process has died to which the running task belongs.
  var isOfDeadProcess: Bool {
    let scheduler = checked
    return scheduler.isDead(scheduler.currentTask)
  }

  /// From here on, or no longer, the running task does what a server does for it, which goes on when its process dies.
  func isServed(_ isServed: Bool) {
    let scheduler = checked
    let task = scheduler.currentTask
    if task >= 0 { scheduler.tasks.setServed(task, isServed) }
  }
}
