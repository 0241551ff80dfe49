internal import CConcurrencyHooks
internal import CProcesses

/// Runs one execution at a time on the thread that calls ``run(_:limits:root:)``, in the order that the chooser
/// decides.
///
/// Nothing here assumes that a step runs to its end before the next begins: what a step is doing is kept in
/// `frame`, which is saved and restored around each, and the thread-local names the scheduler, not the step.
@safe final class Scheduler {
  let hooks: UnsafeMutablePointer<ch_simulation>
  let queue = RunQueue()
  let timers = Timers()
  let tasks = Tasks()
  let domains: Domains
  let chooser: Chooser
  let witness = Witness()
  let anytime = AnytimeActions()
  let cancellations = Cancellations()
  let touches = Touches()
  let groups = Groups()
  let inbox = ForeignInbox.open()
  let recorder: FlightRecorder
  private let flight: UnsafeMutablePointer<cp_recorder>
  /// Where this execution would end the process, if it is known to: so far it runs.
  private var cut = Cut.none
  private var isCut = false
  /// The handle that simulated code is given; it does not own us.
  var handle: Simulation?
  private let hop = HopExecutor()
  private let main = MainStandIn()

  /// The step that runs, if any.
  private(set) var frame = Frame.none
  private(set) var steps = 0
  private(set) var stepsAtThisInstant = 0
  private(set) var jobsFromOutside = 0
  /// Whose the first of them were, and where these go on; only while events are kept.
  private(set) var escapes: [String] = []
  /// Whether this execution has made a task of another priority than its root's.
  private var prioritiesDiffer = false
  private var rootPriority: UInt8 = 0
  private(set) var nextID: Candidate.ID = 0
  /// The task whose continuation has just been resumed: the runtime puts it into its actor's mailbox, of which we see
  /// only that it is to be drained.
  private var resuming: Int32 = -1
  private var executions: UInt16 = 0
  private var tag: UInt64 = 0
  private var isChaining = false
  private var isFiring = false
  /// Whether any task may be cancelled wherever it is suspended.
  var followsCancellations = false
  private var chained: UnsafeMutableRawPointer?
  private(set) var digest: UInt64 = Digest.seed
  private var actorsOfNobody: UInt64 = 0
  private var fakes: [(name: UInt64, calls: UInt64)] = []
  private var hasFakes = false

  struct Frame {
    var domain: Int32
    var task: Int32
    static let none = Frame(domain: -1, task: -1)
  }

  /// Where an execution is left off.
  struct Cut {
    /// The step that is not run, or the last one that is; `.max` for none.
    var step = Int.max
    var place = Death.Place.step
    /// The action that does not happen.
    var act = Int.max
    /// The step that is not run of those that run out what the execution has left behind.
    var tearDownStep = Int.max
    /// What the trace says there.
    var crashMark = ""
    static let none = Cut()
  }

  init(recorder: FlightRecorder = FlightRecorder()) {
    self.recorder = recorder
    unsafe flight = recorder.page
    unsafe hooks = .allocate(capacity: 1)
    unsafe hooks.initialize(to: ch_simulation())
    let main = self.main
    let mainReference = unsafe main.asUnownedSerialExecutor().words
    domains = Domains(mainIdentity: mainReference.identity)
    chooser = Chooser(recorder)
    unsafe hooks.pointee.hop = hop.asUnownedSerialExecutor().words
    unsafe hooks.pointee.main = mainReference
    unsafe hooks.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    inbox.close()
    unsafe hooks.deinitialize(count: 1)
    unsafe hooks.deallocate()
  }

  /// Virtual nanoseconds since the execution began.
  var now: Int64 { unsafe hooks.pointee.now }
}

// MARK: - One execution

extension Scheduler {
  /// Runs what `root` starts until nothing is left to do or a limit is reached; or, when it is known how that ends the
  /// process, until just before.
  func run(limits: Limits, before death: Death? = nil, root: () -> Void) -> Ending {
    reset()
    cut = Cut(before: death)
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    unsafe cp_record_here(flight)
    unsafe ch_set_current(hooks)
    defer { ch_set_current(nil) }
    root()
    let ending = loop(limits)
    if ending == .died {
      chooser.repeatChoices(death?.choices.dropFirst(chooser.tape.count) ?? [])
    } else if tasks.alive > 0 {
      _ = takeForeign(waiting: 0)
    }
    witness.atRest(self, judging: ending != .died)
    return ending
  }

  /// Frees what the execution left behind: cancels what is alive and lets it run out, unobserved, at most
  /// `steps` steps. What still will not end is given up, and its memory with it.
  func tearDown(steps limit: Int = 100_000) {
    unsafe flight.pointee.tearing_down = 1
    unsafe ch_set_current(hooks)
    defer {
      ch_set_current(nil)
      cp_record_here(nil)
      unsafe flight.pointee.phase = UInt32(CP_IDLE)
    }
    anytime.removeAll()
    stopFollowingCancellations()
    witness.mute()
    chooser.mute()
    unsafe hooks.pointee.follows_touches = false
    // The step that would have ended the process is as dangerous now as it was then.
    if isCut { return }
    guard tasks.alive > 0 || queue.count > 0 || timers.count > 0 else { return }
    for task in tasks.living { unsafe ch_cancel(tasks[task].address) }
    for _ in 0..<limit where steps + 1 != cut.tearDownStep {
      if queue.offers > 0 {
        run(queue.find(0))
      } else if timers.count > 0 {
        fireEarliest()
      } else {
        break
      }
    }
  }

  private func reset() {
    executions &+= 1
    tag = ch_make_tag(inbox.slot, executions)
    inbox.accept(tag: tag)
    queue.removeAll()
    timers.removeAll()
    tasks.removeAll()
    domains.reset()
    anytime.removeAll()
    stopFollowingCancellations()
    frame = .none
    steps = 0
    isCut = false
    unsafe flight.pointee.steps = 0
    unsafe flight.pointee.acts = 0
    unsafe flight.pointee.tearing_down = 0
    stepsAtThisInstant = 0
    if jobsFromOutside > 0 { escapes.removeAll() }
    jobsFromOutside = 0
    nextID = 0
    prioritiesDiffer = false
    resuming = -1
    digest = Digest.seed
    actorsOfNobody = 0
    groups.reset()
    if hasFakes { fakes.removeAll(keepingCapacity: true) }
    hasFakes = false
    unsafe hooks.pointee.now = 0
    unsafe hooks.pointee.random = 0x5EED
    unsafe hooks.pointee.seeded = 1
    unsafe hooks.pointee.tag = tag
    unsafe hooks.pointee.first_task_id = .max
    unsafe hooks.pointee.between_steps = false
    unsafe hooks.pointee.follows_touches = chooser.followsDependencies
    if chooser.followsDependencies { touches.reset() }
    unsafe hooks.pointee.clock_reads = 0
    unsafe hooks.pointee.random_reads = 0
  }

  private func loop(_ limits: Limits) -> Ending {
    while true {
      if isCut { return .died }
      if followsCancellations, cancellations.isDue { offerCancellations() }
      if queue.offers > 0 {
        guard stepsAtThisInstant < limits.stepsAtOneInstant else { return .livelock }
        decideAndRun()
      } else if timers.count > 0 {
        if let dead = timers.popDead() {
          fire(dead)
          continue
        }
        if decideAnytimeBeforeTimer() { continue }
        guard timers.earliest <= limits.time else {
          unsafe hooks.pointee.now = limits.time
          return .timeLimit
        }
        if chooser.followsDependencies { chooser.timePassed() }
        fireEarliest()
      } else if !anytime.isEmpty {
        actAtRest()
      } else if tasks.alive > 0, takeForeign(waiting: limits.patience) {
        continue
      } else {
        return tasks.count > 0 && tasks[0].isAlive ? .deadlock : .finished
      }
    }
  }

  @inline(__always)
  private func decideAndRun() {
    let options = queue.offers + anytime.count
    if options == 1 { return run(queue.find(0)) }
    let point = ChoicePoint(
      kind: .order, options: options, anytime: anytime.count, atTimer: false, position: chooser.tape.count)
    let taken: Int
    switch chooser.ask(point) {
    case .option(let option):
      precondition(option >= 0 && option < options, "a strategy picked option \(option) of \(options)")
      taken = option
      chooser.record(.order, options, taken)
      if taken >= queue.offers { return act(taken - queue.offers) }
      run(queue.find(taken))
    case .candidate(let id):
      guard let slot = queue.slot(of: id), queue.isOffered(slot) else {
        preconditionFailure("a strategy picked candidate \(id), which is not on offer")
      }
      chooser.record(.order, options, queue.rank(of: slot))
      run(slot)
    }
  }

  /// Whether an anytime action happened instead of the next timer.
  private func decideAnytimeBeforeTimer() -> Bool {
    guard !anytime.isEmpty else { return false }
    let options = 1 + anytime.count
    let point = ChoicePoint(
      kind: .order, options: options, anytime: anytime.count, atTimer: true, position: chooser.tape.count)
    guard case .option(let taken) = chooser.ask(point), taken >= 0, taken < options else {
      preconditionFailure("a strategy picked a candidate where only time can pass")
    }
    chooser.record(.order, options, taken)
    guard taken > 0 else { return false }
    act(taken - 1)
    return true
  }

  private func actAtRest() {
    guard anytime.count > 1 else { return act(0) }
    let point = ChoicePoint(
      kind: .order, options: anytime.count, anytime: anytime.count, atTimer: false,
      position: chooser.tape.count)
    guard case .option(let taken) = chooser.ask(point), taken >= 0, taken < anytime.count else {
      preconditionFailure("a strategy picked a candidate where only actions are left")
    }
    chooser.record(.order, anytime.count, taken)
    act(taken)
  }

  private func act(_ index: Int) {
    if chooser.followsDependencies { chooser.acted(index) }
    let action = anytime.take(index)
    witness.acted(action.name, self)
    unsafe flight.pointee.acts += 1
    if unsafe Int(flight.pointee.acts) == cut.act { return leaveOff() }
    unsafe flight.pointee.phase = UInt32(CP_ACTING)
    action.perform()
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    witness.afterStep(self)
  }

  /// Moves time to the earliest deadline and wakes everybody who is due then. Whose step comes first is an order
  /// choice among them.
  private func fireEarliest() {
    let due = timers.earliest
    if due > now {
      unsafe hooks.pointee.now = due
      stepsAtThisInstant = 0
    }
    isFiring = true
    while timers.count > 0, timers.earliest == due {
      fire(timers.popFirst())
    }
    isFiring = false
  }

  /// A sleep's timer is a job of the runtime's own that does nothing but resume the sleeper: it is run on the
  /// spot. Anything else that was enqueued with a delay arrives now.
  private func fire(_ timer: Timer) {
    if unsafe timer.job == nil {
      Self.resume(timer.task, in: tasks)
    } else if timer.task < 0, unsafe ch_job_kind(timer.job!) == CH_KIND_TASK {
      unsafe ch_run_job(timer.job!, ch_executor())
    } else {
      unsafe arrive(timer.job!, domain: Domains.pool, identity: 0, implementation: 0, kind: .timer)
    }
  }

  @inline(__always)
  private func run(_ slot: Int) {
    let arrival = queue.arrival(at: slot)
    queue.remove(slot)
    steps += 1
    stepsAtThisInstant += 1
    if chooser.follows { chooser.took(candidate(arrival)) }
    let outer = frame
    resuming = -1
    frame = Frame(domain: arrival.domain, task: arrival.task)
    if arrival.domain != Domains.pool { enter(arrival) }
    var path: UInt64 = 0
    if arrival.task >= 0 {
      path = tasks[arrival.task].path
      tasks.runs(arrival.task, on: arrival.domain)
    }
    digest = Digest.mix(digest, path ^ UInt64(bitPattern: Int64(arrival.domain)))
    note(arrival, path)
    if chooser.followsDependencies { stepBegins(arrival) }
    if witness.wantsSteps { unsafe witness.sawStep(of: arrival.job, arrival: arrival.id, self) }
    unsafe flight.pointee.steps = UInt64(steps)
    unsafe flight.pointee.digest = digest
    unsafe flight.pointee.now = now
    if steps == cut.step, leaveOff(.step) {
      frame = outer
      return
    }
    unsafe flight.pointee.phase = UInt32(CP_STEP)
    let job = unsafe arrival.job
    if arrival.isYield {
      unsafe runYield(job)
    } else if arrival.identity == 0 {
      unsafe ch_run_job(job, ch_executor())
    } else if arrival.implementation == 0 {
      unsafe ch_run_job_on_actor(job, arrival.identity)
    } else {
      unsafe ch_run_job(
        job, ch_executor(identity: arrival.identity, implementation: arrival.implementation))
    }
    unsafe flight.pointee.phase = UInt32(CP_BETWEEN)
    if prioritiesDiffer, domains.hasMailbox(arrival.domain) { becameFree(arrival.domain) }
    if chooser.followsDependencies { stepEnds() }
    if steps == cut.step, leaveOff(.betweenSteps) {
      frame = outer
      return
    }
    if timers.count > 0, timers.earliest <= now { fireEarliest() }
    // While the frame still names the step: what it has changed is told in its name.
    if witness.isWatching { witness.afterStep(self) }
    if followsCancellations { cancellations.saw(arrival.task) }
    frame = outer
  }

  /// Whether the execution ends here, because its process would.
  private func leaveOff(_ place: Death.Place) -> Bool {
    guard cut.place == place else { return false }
    leaveOff()
    return true
  }

  private func leaveOff() {
    isCut = true
    betweenSteps { witness.saw(.note(cut.crashMark), self) }
  }

  /// Makes the step part of what its task did and, except on the pool, which orders nothing, of what its domain saw.
  @inline(__always)
  private func note(_ arrival: Arrival, _ path: UInt64) {
    guard arrival.task >= 0 else { return domains.saw(1, on: arrival.domain) }
    let step = unsafe path ^ UInt64(ch_resume_offset(tasks[arrival.task].address))
    tasks.saw(step, by: arrival.task)
    if arrival.domain != Domains.pool { domains.saw(step, on: arrival.domain) }
  }

  /// A yield is two jobs in the runtime, one to resume the task and the task; nothing can come between them that
  /// could not have come before, so they are one step.
  private func runYield(_ job: UnsafeMutableRawPointer) {
    isChaining = true
    unsafe ch_run_job(job, ch_executor())
    isChaining = false
    guard let next = unsafe chained else { return }
    unsafe chained = nil
    unsafe ch_run_job(next, ch_executor())
  }

  private func takeForeign(waiting nanoseconds: Int64) -> Bool {
    let jobs = unsafe inbox.take(waiting: nanoseconds)
    jobsFromOutside += unsafe jobs.count
    if witness.keepsEvents { unsafe jobs.prefix(4).forEach { unsafe escapes.append(describeEscape(of: $0)) } }
    unsafe jobs.forEach { unsafe enqueuedOnPool($0) }
    return unsafe !jobs.isEmpty
  }
}

// MARK: - Arrivals

extension Scheduler {
  /// A task left its domain for another.
  @inline(__always)
  func hopped(_ job: UnsafeMutableRawPointer, identity: UInt, implementation: UInt) {
    let domain = domains.index(of: identity, implementation: implementation)
    unsafe arrive(
      job, domain: domain, identity: identity, implementation: implementation, kind: .hop,
      landing: landingOfHop(job))
  }

  /// An immediate task hops in the middle of its maker's step, and is in the other mailbox before that goes on.
  @inline(__always)
  private func landingOfHop(_ job: UnsafeMutableRawPointer) -> Landing {
    unsafe taskIndex(of: job) == frame.task ? .withNextStep : .atOnce
  }

  /// A job that may run anywhere; or the drain of a default actor's mailbox, which the runtime itself filled.
  func enqueuedOnPool(_ job: UnsafeMutableRawPointer) {
    let kind = unsafe ch_job_kind(job)
    if kind == CH_KIND_TASK {
      if isChaining {
        isChaining = false
        unsafe chained = job
        return
      }
      if let own = unsafe userExecutor(of: job) { return unsafe arrive(job, on: own) }
      unsafe arrive(job, domain: Domains.pool, identity: 0, implementation: 0, kind: .wake)
    } else if kind == CH_KIND_YIELD {
      unsafe arrive(job, domain: Domains.pool, identity: 0, implementation: 0, kind: .wake, isYield: true)
    } else {
      let actor = unsafe kind == CH_KIND_DRAIN ? UInt(ch_word(job, Int(CH_DRAIN_ACTOR))) : 0
      let domain = domains.index(of: actor, implementation: 0)
      unsafe arrive(
        job, domain: domain, identity: 0, implementation: 0, kind: .hop, landing: landingOfLibraryJob,
        resumed: resuming)
      resuming = -1
    }
  }

  /// An isolated deinitialiser is put into the mailbox in the middle of the step that lets go of the object.
  private var landingOfLibraryJob: Landing {
    unsafe hooks.pointee.deinitialising ? .atOnce : .withNextStep
  }

  /// The domain of a task that is woken after it had suspended on an executor of the user's.
  ///
  /// The library goes back there on its own, by that executor's `enqueue`, which leads to a foreign thread. So the
  /// task is woken where it wants to be; there is nothing but library code between the two. What remains is library
  /// code that leaves the executor and comes back without having waited, as a task group does when it ends: that is
  /// reported as an escape.
  @inline(__always)
  private func userExecutor(of job: UnsafeMutableRawPointer) -> Int32? {
    let task = unsafe taskIndex(of: job)
    guard task >= 0, task != frame.task else { return nil }
    let domain = tasks[task].domain
    guard domain > Domains.main, !domains[domain].keepsPriorities else { return nil }
    return domains.closed > 0 && domains.heldBy(task) != nil ? nil : domain
  }

  private func arrive(_ job: UnsafeMutableRawPointer, on domain: Int32) {
    let record = domains[domain]
    unsafe arrive(
      job, domain: domain, identity: record.identity, implementation: record.implementation, kind: .wake)
  }

  private var mainImplementation: UInt { unsafe hooks.pointee.main.implementation }

  func enqueuedOnMain(_ job: UnsafeMutableRawPointer) {
    let main = unsafe hooks.pointee.main
    unsafe arrive(
      job, domain: Domains.main, identity: main.identity, implementation: main.implementation, kind: .hop,
      landing: landingOfLibraryJob)
  }

  func enqueuedLater(_ job: UnsafeMutableRawPointer, delay: Int64) {
    let task = unsafe taskIndex(of: job)
    let deadline = now.addingClamped(max(0, delay))
    if chooser.followsDependencies { chooser.accessed(.timers, .added) }
    let order = unsafe timers.set(job, deadline: deadline, task: task)
    let sleeper = currentTask
    if task < 0, sleeper >= 0 { tasks.setSleep(sleeper, order) }
  }

  /// A new task begins on the executor of its isolation, or on the pool.
  func started(_ task: UnsafeMutableRawPointer, identity: UInt, implementation: UInt) {
    let domain = domains.index(of: identity, implementation: implementation)
    unsafe arrive(
      task, domain: domain, identity: identity, implementation: implementation, kind: .start,
      landing: .atOnce)
  }

  @inline(__always)
  private func arrive(
    _ job: UnsafeMutableRawPointer, domain: Int32, identity: UInt, implementation: UInt,
    kind: Candidate.Kind, landing: Landing = .never, isYield: Bool = false, resumed: Int32 = -1
  ) {
    let task = unsafe resumed >= 0 ? resumed : taskIndex(of: isYield ? yielder(job) : job)
    let id = nextID
    nextID += 1
    if witness.keepsEvents { witness.arrived(id, inStep: isFiring || frame.domain < 0 ? 0 : steps) }
    if followsCancellations { cancellations.saw(task) }
    if chooser.followsDependencies { arrives(task, on: domain) }
    var arrival = unsafe Arrival(
      job: job, identity: identity, implementation: implementation, domain: domain, task: task, id: id,
      kind: kind, hasLanded: false, reopensDomain: false, isYield: isYield, priority: 0)
    if domain == Domains.pool {
      // A sleeper that wakes before its timer was cancelled; nobody waits for the timer any more.
      if kind == .wake, task >= 0, let timer = tasks.takeSleep(task), !isFiring {
        timers.kill(timer)
        if chooser.followsDependencies { chooser.accessed(.timers, .added) }
      }
      if domains.closed > 0, task >= 0, let closed = domains.heldBy(task) {
        arrival.domain = closed
        arrival.identity = domains[closed].identity
        arrival.implementation = closed == Domains.main ? mainImplementation : domains[closed].implementation
        arrival.reopensDomain = true
      }
      offer(arrival)
    } else {
      if domains[domain].keepsPriorities { arrival.priority = unsafe ch_job_priority(job) }
      let waits = mustWait(arrival)
      land(&arrival, landing)
      if waits { queue.append(arrival, offer: false) } else { offer(arrival) }
    }
  }

  /// When an arrival is known to be in its mailbox.
  private enum Landing { case atOnce, withNextStep, never }

  @inline(__always)
  private func land(_ arrival: inout Arrival, _ landing: Landing) {
    switch landing {
    case .atOnce:
      arrival.hasLanded = true
      if chooser.followsDependencies { lands(on: arrival.domain) }
      domains.makeMailbox(of: arrival.domain).landed(arrival.id, priority: arrival.priority, at: nextID)
    case .withNextStep:
      if frame.domain > Domains.pool { domains.setDeparture(frame.domain, arrival.id) }
    case .never: break
    }
  }

  @inline(__always)
  private func offer(_ arrival: Arrival) {
    queue.append(arrival, offer: true)
    if chooser.follows { chooser.offered(candidate(arrival)) }
  }

  private func candidate(_ arrival: Arrival) -> Candidate {
    let path: UInt64
    let parent: UInt64
    if arrival.task >= 0 {
      path = tasks[arrival.task].path
      let maker = tasks[arrival.task].parent
      parent = maker >= 0 ? tasks[maker].path : 0
    } else {
      (path, parent) = (0, 0)
    }
    return Candidate(
      id: arrival.id, task: path, parent: parent, domain: Int(arrival.domain),
      place: domains[arrival.domain].place, kind: arrival.kind)
  }

  func yielder(_ job: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // Safe: a job of this kind names a task, which is alive because it waits for the job; the self-test checks it.
    unsafe UnsafeMutableRawPointer(bitPattern: UInt(ch_word(job, Int(CH_YIELD_TASK)))) ?? job
  }

  @inline(__always)
  func taskIndex(of job: UnsafeMutableRawPointer) -> Int32 {
    let record = unsafe ch_job_record(job)
    return ch_tag_of(record) == tag ? Int32(bitPattern: ch_index_of(record)) : -1
  }
}

// MARK: - Mailboxes and closed domains

extension Scheduler {
  @inline(__always)
  private func mustWait(_ arrival: Arrival) -> Bool {
    let domain = arrival.domain
    if let mailbox = domains.mailbox(of: domain),
      mailbox.mustWait(arrival.id, priority: arrival.priority)
    {
      return true
    }
    guard domains.closed > 0, domains.isClosed(domain) else { return false }
    domains.hold(arrival.id, on: domain)
    return true
  }

  /// A step begins on a serial domain.
  @inline(__always)
  private func enter(_ arrival: Arrival) {
    if arrival.hasLanded, let mailbox = domains.mailbox(of: arrival.domain) {
      for id in mailbox.left(arrival.id, priority: arrival.priority) { release(id) }
    }
    if arrival.reopensDomain {
      for id in domains.reopen(arrival.domain) { release(id) }
    }
    if let departed = domains.takeDeparture(arrival.domain) { landed(departed) }
  }

  private func landed(_ id: Candidate.ID) {
    guard let slot = queue.slot(of: id) else { return }
    let arrival = queue.arrival(at: slot)
    guard !arrival.hasLanded else { return }
    queue.setLanded(slot)
    if chooser.followsDependencies { lands(on: arrival.domain) }
    domains.makeMailbox(of: arrival.domain).landed(id, priority: arrival.priority, at: nextID)
  }

  /// A step has ended on a domain that keeps an order.
  private func becameFree(_ domain: Int32) {
    guard let mailbox = domains.mailbox(of: domain) else { return }
    let floor = mailbox.becameFree(at: nextID)
    // What lands from here on lands later, also if nothing sets out before.
    nextID += 1
    guard let floor, domains[domain].keepsPriorities else { return }
    for slot in queue.slots(onDomain: domain)
    where queue.isOffered(slot) && queue.arrival(at: slot).priority < floor {
      let arrival = queue.arrival(at: slot)
      queue.setOffered(slot, false)
      mailbox.holdBack(arrival.id, priority: arrival.priority)
      if chooser.follows { chooser.withdrew(candidate(arrival)) }
    }
  }

  private func release(_ id: Candidate.ID) {
    guard let slot = queue.slot(of: id), !queue.isOffered(slot) else { return }
    queue.setOffered(slot, true)
    if chooser.follows { chooser.offered(candidate(queue.arrival(at: slot))) }
  }

  /// Keeps the running step's domain closed for `duration`, after which the task that is about to suspend goes on
  /// there at once. Work on the pool closes nothing.
  func spend(_ duration: Int64) {
    let domain = currentDomain
    let task = currentTask
    if domain != Domains.pool, task >= 0 {
      domains.close(domain, holder: task)
      if chooser.followsDependencies { chooser.accessed(.mailbox(domains[domain].place), .exclusive) }
      for slot in queue.slots(onDomain: domain) where queue.isOffered(slot) {
        queue.setOffered(slot, false)
        let arrival = queue.arrival(at: slot)
        domains.hold(arrival.id, on: domain)
        if chooser.follows { chooser.withdrew(candidate(arrival)) }
      }
    }
    if chooser.followsDependencies { chooser.accessed(.timers, .added) }
    unsafe timers.set(nil, deadline: now.addingClamped(duration), task: task)
  }

  private static func resume(_ task: Int32, in tasks: Tasks) {
    // Safe: the continuation was made by `spend`, which suspended this very task; it is resumed only here.
    unsafe unsafeBitCast(tasks[task].address, to: UnsafeContinuation<Void, Never>.self).resume()
  }
}

// MARK: - Tasks

extension Scheduler {
  /// A task has been made by `parent`; in the discarding group at this address, if it is not 0.
  func created(
    _ task: UnsafeMutableRawPointer, by parent: UnsafeMutableRawPointer?, discardingGroup: UInt
  ) -> UInt64 {
    if tasks.count == 0 {
      unsafe hooks.pointee.first_task_id = ch_task_id(task)
      rootPriority = unsafe ch_job_priority(task)
    } else if unsafe ch_job_priority(task) != rootPriority {
      prioritiesDiffer = true
    }
    let above = unsafe parent.map { unsafe taskIndex(of: $0) } ?? -1
    // An immediate task begins inside the running step; any other says where it runs when it does.
    let index = unsafe tasks.add(task, parent: above, domain: frame.domain)
    if followsCancellations { cancellations.created(index, by: above) }
    if index >= 1 << 24 { fatalError("an execution has room for 16 million tasks") }
    if discardingGroup != 0 { groups.addDiscarded(index, in: discardingGroup) }
    if chooser.followsDependencies { unsafe begins(task, index, by: above) }
    return tag | UInt64(index)
  }

  func named(_ record: UInt64, _ name: String) {
    witness.name(Int32(bitPattern: ch_index_of(record)), name)
  }

  func finished(_ record: UInt64, threw: Bool) {
    let task = Int32(bitPattern: ch_index_of(record))
    tasks.finish(task)
    if chooser.followsDependencies { chooser.accessed(.result(tasks[task].path), .exclusive) }
    guard tasks[task].parent >= 0, unsafe ch_is_group_child(tasks[task].address) else { return }
    groupChildFinishes(task, threw: threw)
  }

  func continuationBegan(_ task: UnsafeMutableRawPointer) {
    let index = unsafe taskIndex(of: task)
    if index >= 0 { tasks.setContinuation(index, .pending) }
  }

  func mayResume(_ task: UnsafeMutableRawPointer) -> Bool {
    let index = unsafe taskIndex(of: task)
    guard index >= 0 else { return true }
    if tasks[index].continuation == .resumed {
      let path = witness.path(of: index, self)
      witness.saw(.note(Event.secondResumptionPrefix + path), self)
      witness.violated(
        BuiltIn.continuationResumedTwice, "a continuation of \(path) was resumed twice", self)
      return false
    }
    tasks.setContinuation(index, .resumed)
    resuming = index
    return true
  }

  func actorInitialized(_ actor: UInt) {
    let maker = currentTask
    if maker >= 0 {
      domains.began(actor, place: Digest.mix(tasks[maker].path, 1 << 32 | UInt64(tasks.madeActor(maker))))
    } else {
      actorsOfNobody += 1
      domains.began(actor, place: Digest.mix(Digest.seed, actorsOfNobody))
    }
  }

  /// What the domains, the tasks on the pool and the fakes saw, whatever the order among them.
  var behaviour: UInt64 {
    let own = domains.behaviour &+ tasks.behaviour
    return hasFakes ? fakes.reduce(own) { $0 &+ Digest.mix($1.name, $1.calls) } : own
  }

  /// A call to a fake is part of what that fake saw.
  func sawCall(_ call: Call, at stage: UInt64) {
    let name = Digest.mix(Digest.seed, call.fake)
    if chooser.followsDependencies { chooser.accessed(.fake(name), .exclusive) }
    let task = currentTask
    let caller = (task >= 0 ? tasks[task].path : 0) ^ stage
    let word = Digest.mix(caller, call.operation)
    if let index = fakes.firstIndex(where: { $0.name == name }) {
      fakes[index].calls = Digest.mix(fakes[index].calls, word)
    } else {
      fakes.append((name, word))
      hasFakes = true
    }
  }

  /// The task that runs; exact also within the drain of a mailbox.
  var currentTask: Int32 {
    if let task = unsafe ch_current_task() { return unsafe taskIndex(of: task) }
    return frame.task
  }

  /// The domain on which the running step is.
  var currentDomain: Int32 {
    guard frame.domain >= 0 else { return -1 }
    let executor = ch_current_executor()
    return domains.index(of: executor.identity, implementation: executor.implementation)
  }

  func mix(_ text: String) { digest = Digest.mix(digest, text) }
  func mix(_ kind: Event.Kind) { digest = Digest.mix(digest ^ UInt64(bitPattern: now), kind) }

  /// Runs the simulator's own code between two steps: every question about isolation is answered with yes.
  func betweenSteps<Result>(_ body: () -> Result) -> Result {
    let outer = unsafe hooks.pointee.between_steps
    unsafe hooks.pointee.between_steps = true
    defer { unsafe hooks.pointee.between_steps = outer }
    return body()
  }
}

/// When an execution ends although something is left to do.
struct Limits {
  /// Virtual nanoseconds.
  var time: Int64
  /// Steps without virtual time moving: more is a livelock.
  var stepsAtOneInstant: Int
  /// Real nanoseconds to wait for a foreign thread before calling it a deadlock.
  var patience: Int64
}

/// How an execution ended.
enum Ending {
  case finished, timeLimit, deadlock, livelock, died
}

extension Scheduler.Cut {
  /// Just before what ended the process.
  init(before death: Death?) {
    guard let death else { return }
    crashMark = death.crashMark
    if death.isTearDown {
      tearDownStep = death.step
    } else if death.place == .action {
      act = death.acts
    } else {
      step = death.step
      place = death.place
    }
  }
}

extension UnownedSerialExecutor {
  /// The two words that the runtime passes around.
  var words: ch_executor { unsafe unsafeBitCast(self, to: ch_executor.self) }
}
