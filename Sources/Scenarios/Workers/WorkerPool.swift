internal import CProcesses
import Foundation
import ScenarioFiles
import Simulator

/// Plays scenarios in worker processes, a variant at a time, and hands over each scenario as soon as it is
/// complete, in the order asked for. What is handed over does not depend on the number of workers.
///
/// A worker that ends, stalls or takes too much memory has its variant begun anew in a fresh one, where
/// executions run ahead in children: so the schedule that did it is found again, becomes a violation like any
/// other, and the search goes on. Where no schedule does it again, the variant is not judged in the end; what
/// its workers had found stays.
final class WorkerPool {
  typealias Deliver = (Int, ScenarioResult) throws -> Void
  /// Told what is known of a variant as soon as it is, long before its scenario may be handed over.
  var arrive: (Int, VariantResult) -> Void = { _, _ in }

  let scenarios: [Scenario]
  let settings: PoolSettings
  private let terminal: Terminal
  let handOver: Deliver
  var units: [WorkUnit] = []
  /// The units that wait for a worker, the next one last.
  private var waiting: [Int] = []
  var busy: [(worker: WorkerProcess, unit: Int)] = []
  private var idle: [WorkerProcess] = []
  /// Where many workers are needed, they are copies.
  private var server: ForkServer?
  /// How many units that takes: one costs what some workers do.
  private static let many = 4
  var delivered = 0
  /// How many may work at the same time.
  private var jobs: Int
  /// How often in a row no worker could be started while none was at work.
  private var failedStarts = 0
  private static let mostFailedStarts = 50
  /// Whether some program has taken a step in a worker.
  private var hasBegun = false
  private var ending = RunEnding.Reason.finished
  private var isStopping: Bool { ending != .finished }
  /// The time at which workers that were told to stop and still run are killed.
  private var killingTime = Int64.max
  let began = cp_now()
  var progress: ProgressLine

  init(_ scenarios: [Scenario], _ settings: PoolSettings, on terminal: Terminal, deliver: @escaping Deliver) {
    self.scenarios = scenarios
    self.settings = settings
    jobs = settings.jobs
    self.terminal = terminal
    handOver = deliver
    progress = ProgressLine(terminal)
    for (index, scenario) in scenarios.enumerated() {
      units += scenario.expectations.map { WorkUnit(scenario: index, expectation: $0) }
    }
    waiting = units.indices.reversed()
  }

  /// Starts the first worker; throws where there can be none.
  func start() throws(WorkerFault) {
    if units.count >= Self.many { server = ForkServer() }
    idle.append(try newWorker())
  }

  /// A fresh one. Where the server has ended or says no, workers are started one by one from here on.
  private func newWorker() throws(WorkerFault) -> WorkerProcess {
    if server != nil {
      do throws(WorkerFault) { return try WorkerProcess(from: server) } catch { server = nil }
    }
    return try WorkerProcess(from: nil)
  }

  /// Plays all of them, on the calling thread.
  func play() throws -> RunEnding {
    let signals = cp_signals_open()
    defer {
      progress.clear()
      busy.removeAll()
      idle.removeAll()
      server = nil
      cp_signals_close(signals)
    }
    while delivered < scenarios.count {
      try assign()
      if busy.isEmpty, isStopping || waiting.isEmpty { break }
      wait(signals)
      try collect()
      try watch(signals)
      try deliverComplete()
      showProgress()
    }
    try deliverComplete()
    return try RunEnding(reason: ending, notBegun: deliverBegun())
  }
}

// MARK: - Orders

extension WorkerPool {
  private func assign() throws {
    while !isStopping, busy.count < jobs, let unit = waiting.last, let worker = freeWorker() {
      waiting.removeLast()
      units[unit].attempts += 1
      let order = WorkOrder(
        scenario: scenarios[units[unit].scenario], variant: units[unit].expectation.variant,
        isIsolated: units[unit].isIsolated, safeExecutions: units[unit].safeExecutions,
        limits: settings.limits, jobs: max(1, jobs / (busy.count + waiting.count + 1)), shard: settings.shard)
      worker.recorder.costs = units[unit].costs
      // If the worker has ended meanwhile, waiting for its answer finds out.
      _ = try worker.order(order)
      busy.append((worker, unit))
    }
    keepOneReady()
  }

  /// Makes the next copy while all work, so that nobody waits for it. Where there is none to be had, `freeWorker` says so.
  private func keepOneReady() {
    guard let server, idle.isEmpty, !waiting.isEmpty, !isStopping else { return }
    if let worker = try? WorkerProcess(from: server) { idle.append(worker) }
  }

  /// A worker without work; nil when there is none for now. The search goes on with as many as can be started.
  private func freeWorker() -> WorkerProcess? {
    if let worker = idle.popLast() { return worker }
    do throws(WorkerFault) {
      defer { failedStarts = 0 }
      return try newWorker()
    } catch {
      if !busy.isEmpty {
        goOn(with: busy.count, for: error)
      } else {
        failedStarts += 1
        if failedStarts >= Self.mostFailedStarts { leaveUnjudged() }
      }
      return nil
    }
  }

  private func goOn(with count: Int, for fault: WorkerFault) {
    if jobs == settings.jobs {
      progress.clear()
      terminal.error(
        "\(count) of \(jobs) workers could be started, and the search goes on with those: \(fault)")
    }
    jobs = count
  }

  /// Nobody can work on what waits.
  private func leaveUnjudged() {
    for unit in waiting {
      settle(unit, WorkResult(notJudged: units[unit], scenarios[units[unit].scenario]))
    }
    waiting = []
  }

  private func wait(_ signals: Int32) {
    var waits = busy.flatMap(\.worker.descriptors).map { cp_wait(descriptor: $0, ready: false) }
    waits.append(cp_wait(descriptor: signals, ready: false))
    unsafe cp_wait_for(&waits, waits.count, 100)
  }
}

// MARK: - Answers

extension WorkerPool {
  private func collect() throws {
    workers: for index in busy.indices.reversed() {
      let (worker, unit) = busy[index]
      units[unit].output += worker.written()
      do throws(WorkerLost) {
        while let message = try worker.answer() {
          switch message {
          case .found(let said): units[unit].keep(said)
          case .done(let result):
            // Another variant begins in a process that has run nothing: this worker ends.
            busy.remove(at: index)
            finish(unit, result)
            continue workers
          }
        }
      } catch {
        busy.remove(at: index)
        switch error {
        case .ended: try lost(worker, unit, by: .ended(worker.end()))
        case .garbled:
          _ = worker.kill()
          try lost(worker, unit, by: .garbled)
        }
      }
    }
  }

  private func finish(_ unit: Int, _ result: WorkResult) {
    hasBegun = true
    settle(unit, result)
    forward(units[unit].output)
  }

  private func settle(_ unit: Int, _ result: WorkResult) {
    units[unit].outcome = result
    arrive(units[unit].scenario, result.result)
  }

  /// Writes what simulated code has printed to standard error: standard output holds results only.
  func forward(_ text: String) {
    guard !text.isEmpty else { return }
    progress.clear()
    terminal.complain(text)
  }

  /// A worker has been lost in the middle of its work. What no schedule shows again is held against no program.
  private func lost(_ worker: WorkerProcess, _ index: Int, by loss: WorkerLosses.Loss) throws {
    units[index].output += worker.written()
    if isStopping { return giveUp(index, worker) }
    let recorder = worker.recorder
    let wasIsolated = units[index].isIsolated
    let loss = units[index].lost(worker, by: loss)
    hasBegun = hasBegun || recorder.executions > 0
    let (unit, scenario) = (units[index], scenarios[units[index].scenario])
    if case .ended(let cause) = loss, wasIsolated, unit.losses.isRepeated, !loss.isFromOutside,
      recorder.isExecuting, recorder.threads > 1
    {
      let death = Death(cause, in: recorder, errors: unit.output)
      settle(index, WorkResult(ended: unit, by: death, scenario, recorder))
    } else if unit.losses.areTooMany {
      // No program has taken a step: workers cannot be started here.
      if !hasBegun, !loss.isFromOutside { throw WorkerFault.neverBegan(unit.output) }
      settle(index, WorkResult(notJudged: unit, scenario))
    } else {
      waiting.append(index)
    }
    units[index].output = ""
  }
}

// MARK: - Ends

extension WorkerPool {
  private func watch(_ signals: Int32) throws {
    for index in busy.indices.reversed() {
      let (worker, unit) = busy[index]
      guard let cause = worker.excess(over: settings.limits) else { continue }
      busy.remove(at: index)
      _ = worker.kill()
      try lost(worker, unit, by: .ended(cause))
    }
    let signal = cp_signals_read(signals)
    if signal != 0 {
      if case .signal = ending { return kill() }
      stop(.signal(signal), patience: .milliseconds(400))
    } else if !isStopping, let limit = settings.timeLimit, Duration.nanoseconds(cp_now() - began) >= limit {
      stop(.timeLimit, patience: .milliseconds(800))
    }
    if cp_now() > killingTime { kill() }
  }

  /// Asks workers for what they have found so far.
  private func stop(_ ending: RunEnding.Reason, patience: Duration) {
    self.ending = ending
    killingTime = cp_now() + patience.wholeNanoseconds
    for (worker, _) in busy { worker.recorder.isToStop = true }
  }

  private func kill() {
    for (worker, unit) in busy {
      giveUp(unit, worker)
      _ = worker.kill()
    }
    busy.removeAll()
  }

  /// Takes from a worker without an answer only what it had said, and how many schedules it had tried.
  private func giveUp(_ unit: Int, _ worker: WorkerProcess) {
    units[unit].schedules = max(units[unit].schedules, worker.recorder.schedules)
    do throws(WorkerLost) {
      try units[unit].read()
      settle(unit, known(of: unit))
    } catch {
      _ = units[unit].lost(worker, by: .garbled)
      settle(unit, WorkResult(notJudged: units[unit], scenarios[units[unit].scenario]))
    }
  }

  /// What is known of a unit that nobody has finished.
  func known(of unit: Int) -> WorkResult {
    WorkResult(stopped: units[unit], scenarios[units[unit].scenario])
  }
}
