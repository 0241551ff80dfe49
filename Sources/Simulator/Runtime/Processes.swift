/// The processes of the simulated machine that an execution has launched, and what is left of those that have died.
///
/// Process n is the n-th that was launched, from 1; what belongs to none is of number 0 and never dies.
final class Processes: ExecutionTable {
  typealias Number = UInt16

  private var count: Number = 0
  private var dead: Set<Number> = []
  /// Whether any has died.
  private(set) var haveDied = false
  /// The jobs of dead processes, in the order in which they would have become runnable.
  private(set) var remains: [Arrival] = []
  /// Where work of a task that died had kept its domain closed, by the task.
  private var closed: [Int32: Int32] = [:]
  /// What is to be done when a process dies, in the order in which it was asked for.
  private var mourners: [(process: Number, act: () -> Void)] = []
  /// What is not to be freed before the execution is over.
  private var kept: [AnyObject] = []

  /// One more; nil when there are as many as there can be.
  func launch() -> Number? {
    guard count < .max else { return nil }
    count += 1
    return count
  }

  func isDead(_ process: Number) -> Bool { haveDied && dead.contains(process) }

  /// The process dies; answers what is to be done then, or nil when it has been dead.
  func die(_ process: Number) -> [() -> Void]? {
    haveDied = true
    guard dead.insert(process).inserted else { return nil }
    let acts = mourners.filter { $0.process == process }.map(\.act)
    mourners.removeAll { $0.process == process }
    return acts
  }

  func whenDies(_ process: Number, _ act: @escaping () -> Void) { mourners.append((process, act)) }

  /// The job will not run as long as the execution lasts.
  func bury(_ arrival: Arrival) { remains.append(arrival) }

  /// The work of `task` had kept `domain` closed.
  func opened(_ domain: Int32, of task: Int32) { closed[task] = domain }

  /// The domain on which `task` would have gone on.
  func closedDomain(of task: Int32) -> Int32? { closed[task] }

  func keep(_ object: AnyObject) { kept.append(object) }

  /// The execution is over: what was kept is freed, the jobs are handed out, and none is dead any more.
  func takeRemains() -> [Arrival] {
    haveDied = false
    kept.removeAll()
    mourners.removeAll()
    defer { remains.removeAll() }
    return remains
  }

  var isFresh: Bool { count == 0 && !haveDied && remains.isEmpty && mourners.isEmpty && kept.isEmpty }

  func removeAll() {
    guard count > 0 else { return }
    count = 0
    dead.removeAll()
    haveDied = false
    remains.removeAll()
    closed.removeAll()
    mourners.removeAll()
    kept.removeAll()
  }
}
