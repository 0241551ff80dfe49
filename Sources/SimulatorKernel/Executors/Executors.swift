internal import CConcurrencyHooks
internal import SimulatorCore
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// Receives every hop. The hook on `swift_task_switch` has just noted where the hop is going.
final class HopExecutor: SerialExecutor, SchedulingExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    guard let simulation = unsafe ch_get_current() else {
      // Only the hook brings tasks here, and it knows their simulation. If that is wrong, the simulator controls no
      // order.
      fatalError("a task hopped into a simulation that is not running on this thread")
    }
    let target = unsafe simulation.pointee.execution.hop_target
    let address = unsafe job.takeAddress()
    let isPutOff = unsafe simulation.pointee.execution.hop_is_put_off
    unsafe simulation.pointee.execution.hop_is_put_off = false
    let hasPreference = unsafe simulation.pointee.execution.hop_has_preference
    unsafe simulation.pointee.execution.hop_has_preference = false
    unsafe Scheduler.with(simulation) {
      if hasPreference { return unsafe $0.enters(target.identity, address) }
      if isPutOff { return unsafe $0.setsOut(address) }
      unsafe $0.hopped(address, identity: target.identity, implementation: target.implementation)
    }
  }
}

/// Stands in for the main actor's executor inside a simulation.
final class MainStandIn: SerialExecutor, SchedulingExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let address = unsafe job.takeAddress()
    guard let simulation = unsafe ch_get_current() else {
      // A foreign thread resumed one of our tasks on "its" main actor.
      unsafe ForeignInbox.deliver(record: ch_job_record(address), job: address)
      return
    }
    unsafe Scheduler.with(simulation) { unsafe $0.enqueuedOnMain(address) }
  }

  func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on the simulation's main actor")
  }

  func isIsolatingCurrentContext() -> Bool? {
    guard let simulation = unsafe ch_get_current() else { return false }
    return unsafe simulation.pointee.execution.between_steps
      || ch_current_executor().identity == simulation.pointee.main.identity
  }
}

/// The process's default executor: the platform's, except on a thread that simulates.
final class DefaultStandIn: TaskExecutor, SchedulingExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    // `Task.yield` comes straight here, past the hook on enqueueGlobal.
    let address = unsafe job.takeAddress()
    if let simulation = unsafe ch_get_current(), unsafe ch_belongs(simulation, address) {
      unsafe Scheduler.with(simulation) { unsafe $0.enqueuedOnPool(address) }
    } else {
      // Safe: the job's address has just been taken from this very job.
      PlatformExecutorFactory.defaultExecutor.enqueue(
        unsafe ExecutorJob(unsafeBitCast(address, to: UnownedJob.self)))
    }
  }
}

extension SchedulingExecutor {
  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    if let simulation = unsafe ch_get_current() {
      let (delay, tolerance) = (nanoseconds(delay, clock), tolerance.map { nanoseconds($0, clock) } ?? 0)
      let address = unsafe job.takeAddress()
      unsafe Scheduler.with(simulation) {
        unsafe $0.enqueuedLater(address, delay: delay, tolerance: tolerance)
      }
    } else {
      Platform.scheduler.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    if let simulation = unsafe ch_get_current() {
      let delay = nanoseconds(clock.now.duration(to: instant), clock)
      let tolerance = tolerance.map { nanoseconds($0, clock) } ?? 0
      let address = unsafe job.takeAddress()
      unsafe Scheduler.with(simulation) {
        unsafe $0.enqueuedLater(address, delay: delay, tolerance: tolerance)
      }
    } else {
      Platform.scheduler.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }
  }

  @inline(__always)
  private func nanoseconds<C: Clock>(_ duration: C.Duration, _ clock: C) -> Int64 {
    if let duration = duration as? Duration { return duration.wholeNanoseconds }
    // The protocol has no way to fail, and a sleep of unknown length has no place in virtual time.
    fatalError(
      "\(C.self) asked the executor for a sleep in \(C.Duration.self), which is no Duration")
  }
}

enum Platform {
  static let scheduler: any SchedulingExecutor = {
    guard let scheduler = PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor else {
      // Found before anything runs; the tool checks for it first.
      fatalError("this toolchain's default executor does not schedule; Swift 6.3 is needed")
    }
    return scheduler
  }()
}

struct StandInFactory: ExecutorFactory {
  static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
  static let defaultExecutor: any TaskExecutor = DefaultStandIn()
}

/// Called before `main` by the C target's constructor.
@c @implementation
func simulator_prepare() {
  _createExecutors(factory: StandInFactory.self)
}

extension ExecutorJob {
  /// Returns the job's address. The receiver has to run the job, once.
  consuming func takeAddress() -> UnsafeMutableRawPointer {
    // Safe: an unowned job is one pointer.
    unsafe unsafeBitCast(UnownedJob(self), to: UnsafeMutableRawPointer.self)
  }
}
