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
    let waits = "\(recorder.path(of: index, self)) waits for \(reason(index))"
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

  private func reason(_ index: Int32) -> String {
    switch wait(of: index) {
    case .task(let other): return other < 0 ? "another task" : "task \(recorder.path(of: other, self))"
    case .continuation:
      if tasks[index].continuation == .dropped { return "a continuation that was dropped and never resumed" }
      return !timers.isEmpty ? "a timer, or a continuation" : "a continuation that nobody has resumed"
    case .child: return "a child of its task group"
    case .turn: return waitsForThread(index) ? "a thread of the global executor" : "its turn"
    case .unknown: return "something unknown"
    }
  }

  /// What a living task waits for.
  enum Wait: Equatable {
    /// The end of a task; -1 stands for one that is not of this execution.
    case task(Int32)
    /// Something that resumes its continuation.
    case continuation
    /// A child of its task group; the runtime does not say which.
    case child
    case turn
    case unknown
  }

  /// Returns what a living task waits for, as the runtime's own record has it.
  func wait(of index: Int32) -> Wait {
    let task = unsafe tasks[index].address
    // Safe: the task is alive, and the self-test has checked where the record is.
    guard let record = unsafe UnsafeRawPointer(bitPattern: UInt(ch_word(task, Int(CH_TASK_DEPENDENCY))))
    else { return .turn }
    switch unsafe ch_word(record, Int(CH_WAIT_KIND)) & 0xFF {
    case 1:
      let other = unsafe UnsafeMutableRawPointer(bitPattern: UInt(ch_word(record, Int(CH_WAIT_OBJECT))))
      return unsafe .task(other.map { unsafe taskIndex(of: $0) } ?? -1)
    case 2: return .continuation
    case 3: return .child
    case 4: return .turn
    default: return .unknown
    }
  }

  /// Returns the task whose end a living task waits for, or nil if the task waits for something else.
  private func awaitedTask(of index: Int32) -> Int32? {
    if case .task(let other) = wait(of: index) { other } else { nil }
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
      wait(of: index) == .continuation
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
    guard wait(of: index) == .child else { return nil }
    return tasks.living.first { isHeldElsewhere($0) }
  }

  private func isHeldElsewhere(_ index: Int32) -> Bool {
    wait(of: index) == .continuation && tasks[index].continuation != .dropped
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
