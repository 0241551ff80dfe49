internal import CConcurrencyHooks
package import SimulatorCore

extension Scheduler {
  /// Returns the suspended task that `job` is or will resume, or nil for the drain of a mailbox.
  func task(behind job: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    switch unsafe ch_job_kind(job) {
    case UInt8(CH_KIND_TASK): unsafe job
    case UInt8(CH_KIND_YIELD): unsafe yielder(job)
    default: nil
    }
  }

  /// Describes what a living task waits for, as far as the runtime's own record shows it. `withPlaces` adds the source
  /// lines, which costs some hundred milliseconds once per process.
  func describeWait(of index: Int32, withPlaces: Bool) -> String {
    let task = unsafe tasks[index].address
    if let step = tables.parked.step(of: index) { return describe(step, withPlaces: withPlaces) }
    let waits = unsafe "\(recorder.path(of: index, self)) waits for \(reason(task, index))"
    guard withPlaces else { return waits }
    // A fake has many functions of its own between the program's call and where it waits.
    let stack = unsafe Symbols.places(ofStack: SuspendedTask.addresses(of: task, limit: 32))
    let place = stack.prefix(3).map(\.description).joined(separator: " <- ")
    return place.isEmpty ? waits : waits + " at " + place
  }

  private func describe(_ step: ParkedSteps.Step, withPlaces: Bool) -> String {
    let holder = tables.locks.holders(of: step.waitsFor).first.map {
      "a lock that \(recorder.path(of: $0.task, self)) holds"
    }
    let waits =
      recorder.path(of: step.frame.task, self) + " waits for "
      + (step.waitsFor == 0
        ? "its turn in the middle of a step" : holder ?? describeWait(of: step) ?? "a lock")
    guard withPlaces else { return waits }
    let place = Symbols.places(of: step.stack).flatMap { $0 }.prefix(3).map(\.description).joined(
      separator: " <- ")
    return place.isEmpty ? waits : waits + " at " + place
  }

  private func reason(_ task: UnsafeMutableRawPointer, _ index: Int32) -> String {
    guard let record = unsafe waitRecord(of: task) else { return "its turn" }
    switch unsafe ch_word(record, Int(CH_WAIT_KIND)) & 0xFF {
    case 1:
      let other = awaitedTask(of: index)
      return other.map { $0 < 0 ? "another task" : "task \(recorder.path(of: $0, self))" } ?? "another task"
    case 2:
      if tasks[index].continuation == .dropped { return "a continuation that was dropped and never resumed" }
      return !timers.isEmpty ? "a timer, or a continuation" : "a continuation that nobody has resumed"
    case 3: return "a child of its task group"
    case 4: return "its turn"
    default: return "something unknown"
    }
  }

  /// Returns the runtime's own record of what a task waits for.
  private func waitRecord(of task: UnsafeMutableRawPointer) -> UnsafeRawPointer? {
    // Safe: the task is alive, and the self-test has checked where the record is.
    unsafe UnsafeRawPointer(bitPattern: UInt(ch_word(task, Int(CH_TASK_DEPENDENCY))))
  }

  /// Returns the task whose end a living task waits for: -1 if it is not of this execution, nil if the task waits for
  /// something else.
  private func awaitedTask(of index: Int32) -> Int32? {
    guard let record = unsafe waitRecord(of: tasks[index].address),
      unsafe ch_word(record, Int(CH_WAIT_KIND)) & 0xFF == 1
    else { return nil }
    let other = unsafe UnsafeMutableRawPointer(bitPattern: UInt(ch_word(record, Int(CH_WAIT_OBJECT))))
    return unsafe other.map { unsafe taskIndex(of: $0) }
  }

  /// Returns true if a living task is suspended until something resumes its continuation.
  private func waitsForContinuation(_ index: Int32) -> Bool {
    guard let record = unsafe waitRecord(of: tasks[index].address) else { return false }
    return unsafe ch_word(record, Int(CH_WAIT_KIND)) & 0xFF == 2
  }

  /// Describes a job that came back from a foreign thread: its task, and where the task goes on.
  func describeEscape(of job: UnsafeMutableRawPointer) -> String {
    guard let task = unsafe task(behind: job) else { return "the mailbox of an actor" }
    let name = unsafe recorder.path(of: taskIndex(of: task), self)
    let stack = unsafe Symbols.places(ofStack: SuspendedTask.addresses(of: task))
    return stack.first.map { "\(name) at \($0)" } ?? name
  }
}

// MARK: - For monitors

extension Scheduler: TaskKnowledge {
  package func maker(of task: Int) -> Int? {
    let maker = tasks[Int32(task)].parent
    return maker >= 0 ? Int(maker) : nil
  }

  package func asleepSince(_ task: Int) -> VirtualInstant? {
    let index = Int32(task)
    guard tasks[index].isAlive, let sleep = tasks.lastSleep(index), timers.isWaiting(sleep.timer),
      waitsForContinuation(index)
    else { return nil }
    return VirtualInstant(nanoseconds: sleep.since)
  }
}

// MARK: - Endless waits

extension Scheduler {
  /// True if the process has anything besides its simulations that could resume a continuation at any time, unasked: a
  /// thread that the program or a library has started, or a source of events. There is no way to know if it holds a
  /// given continuation.
  var mayBeWokenFromOutside: Bool { ch_others_live() }

  /// The task at the end of the chain of waits that starts at the root, if it waits for a continuation that something
  /// may still hold. Nil if the root waits for other tasks, or for one of their locks.
  var waiterForOthers: Int32? {
    var index: Int32 = 0
    for _ in 0..<tasks.count {
      if isHeldElsewhere(index) { return index }
      if tables.parked.step(of: index) != nil { return nil }
      guard let next = awaitedTask(of: index) else { break }
      guard next >= 0 else { return nil }
      index = next
    }
    // The task waits for a child of its group; the runtime does not say which.
    guard waitsForChild(index) else { return nil }
    return tasks.living.first { isHeldElsewhere($0) }
  }

  private func isHeldElsewhere(_ index: Int32) -> Bool {
    waitsForContinuation(index) && tasks[index].continuation != .dropped
  }

  private func waitsForChild(_ index: Int32) -> Bool {
    guard let record = unsafe waitRecord(of: tasks[index].address) else { return false }
    return unsafe ch_word(record, Int(CH_WAIT_KIND)) & 0xFF == 3
  }

  /// The tasks that wait forever because nothing holds their continuation anymore, and those that wait for these to
  /// end. O(tasks made) for each task in the longest chain of such waits.
  var abandoned: [Int32] {
    let living = tasks.living
    var found = Set(living.filter { tasks[$0].continuation == .dropped })
    guard !found.isEmpty else { return [] }
    while true {
      let more = living.filter { !found.contains($0) && awaitedTask(of: $0).map(found.contains) == true }
      guard !more.isEmpty else { return found.sorted() }
      found.formUnion(more)
    }
  }
}
