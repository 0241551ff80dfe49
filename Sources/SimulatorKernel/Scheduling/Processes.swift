/// The processes of the simulated machine that an execution has launched, and what is left of those that have died.
///
/// Process n is the n-th that was launched, from 1. What belongs to no process has number 0 and never dies.
final class Processes: ExecutionTable {
  typealias Number = UInt16

  private var count: Number = 0
  private var dead: Set<Number> = []
  /// True if any has died.
  private(set) var haveDied = false
  /// The jobs of dead processes, in the order in which they would have become runnable.
  private(set) var withheld: [Arrival] = []
  /// The domains that work of dead tasks had kept closed, by task.
  private var closed: [Int32: Int32] = [:]
  /// The actions to perform when a process dies, in the order in which they were requested.
  private var waitingForEnd: [(process: Number, act: () -> Void)] = []
  /// The objects that must not be freed before the execution is over.
  private var kept: [AnyObject] = []

  /// Launches another process; returns nil if there are as many as there can be.
  func launch() -> Number? {
    guard count < .max else { return nil }
    count += 1
    return count
  }

  func isDead(_ process: Number) -> Bool { haveDied && dead.contains(process) }

  /// Marks the process as dead. Returns the actions to perform then, or nil if it was dead already.
  func die(_ process: Number) -> [() -> Void]? {
    haveDied = true
    guard dead.insert(process).inserted else { return nil }
    let acts = waitingForEnd.filter { $0.process == process }.map(\.act)
    waitingForEnd.removeAll { $0.process == process }
    return acts
  }

  func whenDies(_ process: Number, _ act: @escaping () -> Void) { waitingForEnd.append((process, act)) }

  /// Keeps a job that will not run as long as the execution lasts.
  func withhold(_ arrival: Arrival) { withheld.append(arrival) }

  /// Notes that the work of `task` had kept `domain` closed.
  func opened(_ domain: Int32, of task: Int32) { closed[task] = domain }

  /// Returns the domain on which `task` would have gone on.
  func closedDomain(of task: Int32) -> Int32? { closed[task] }

  func keep(_ object: AnyObject) { kept.append(object) }

  /// Ends the execution: frees what was kept, returns the jobs of dead processes, and treats no process as dead
  /// anymore.
  func takeWithheld() -> [Arrival] {
    haveDied = false
    kept.removeAll()
    waitingForEnd.removeAll()
    defer { withheld.removeAll() }
    return withheld
  }

  var isFresh: Bool { count == 0 && !haveDied && withheld.isEmpty && waitingForEnd.isEmpty && kept.isEmpty }

  func removeAll() {
    guard count > 0 else { return }
    count = 0
    dead.removeAll()
    haveDied = false
    withheld.removeAll()
    closed.removeAll()
    waitingForEnd.removeAll()
    kept.removeAll()
  }
}
