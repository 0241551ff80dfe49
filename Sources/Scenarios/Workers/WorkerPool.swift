internal import CProcesses
import Foundation
import Simulator

/// Plays scenarios in worker processes, a variant at a time, and hands over each scenario as soon as it is
/// complete, in the order asked for. What is handed over does not depend on the number of workers.
///
/// A worker that ends, stalls or takes too much memory has its variant begun anew in a fresh one, where
/// executions run ahead in children: so the schedule that did it is found again, becomes a violation like any
/// other, and the search goes on.
final class WorkerPool {
  typealias Deliver = (Int, ScenarioResult) throws -> Void

  private let scenarios: [Scenario]
  private let settings: PoolSettings
  private let terminal: Terminal
  private let handOver: Deliver
  private var units: [WorkUnit] = []
  /// The units that wait for a worker, the next one last.
  private var waiting: [Int] = []
  private var busy: [(worker: WorkerProcess, unit: Int)] = []
  private var idle: [WorkerProcess] = []
  private var delivered = 0
  private var ending = RunEnding.Reason.finished
  private var isStopping: Bool { ending != .finished }
  /// The time at which workers that were told to stop and still run are killed.
  private var killingTime = Int64.max
  private let began = cp_now()
  private var progress: ProgressLine

  init(_ scenarios: [Scenario], _ settings: PoolSettings, on terminal: Terminal, deliver: @escaping Deliver) {
    self.scenarios = scenarios
    self.settings = settings
    self.terminal = terminal
    handOver = deliver
    progress = ProgressLine(terminal)
    for (index, scenario) in scenarios.enumerated() {
      units += scenario.expectations.map { WorkUnit(scenario: index, expectation: $0) }
    }
    waiting = units.indices.reversed()
  }

  /// Starts the first worker; throws where there can be none.
  func start() throws(WorkerFault) { idle.append(try WorkerProcess()) }

  /// Plays all of them, on the calling thread.
  func play() throws -> RunEnding {
    let signals = cp_signals_open()
    defer {
      progress.clear()
      busy.removeAll()
      idle.removeAll()
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
    while !isStopping, busy.count < settings.jobs, let unit = waiting.popLast() {
      let worker = try idle.popLast() ?? WorkerProcess()
      units[unit].attempts += 1
      let order = WorkOrder(
        scenario: scenarios[units[unit].scenario], variant: units[unit].expectation.variant,
        isIsolated: units[unit].isIsolated, safeExecutions: units[unit].safeExecutions,
        limits: settings.limits)
      // If the worker has ended meanwhile, waiting for its answer finds out.
      _ = try worker.order(order)
      busy.append((worker, unit))
    }
  }

  private func wait(_ signals: Int32) {
    var waits = busy.flatMap { [$0.worker.socket, $0.worker.output] }.map {
      cp_wait(descriptor: $0, ready: false)
    }
    waits.append(cp_wait(descriptor: signals, ready: false))
    unsafe cp_wait_for(&waits, waits.count, 100)
  }
}

// MARK: - Answers

extension WorkerPool {
  private func collect() throws {
    for index in busy.indices.reversed() {
      let (worker, unit) = busy[index]
      units[unit].output += worker.written()
      do {
        guard let result = try worker.answer() else { continue }
        units[unit].outcome = result
        // Another variant begins in a process that has run nothing: this worker ends.
        busy.remove(at: index)
        forward(units[unit].output)
      } catch is WorkerGone {
        busy.remove(at: index)
        try lost(worker, unit, worker.end())
      }
    }
  }

  /// Writes what simulated code has printed to standard error: standard output holds results only.
  private func forward(_ text: String) {
    guard !text.isEmpty else { return }
    progress.clear()
    terminal.complain(text)
  }

  /// A worker has ended in the middle of its work.
  private func lost(_ worker: WorkerProcess, _ index: Int, _ cause: Death.Cause) throws {
    units[index].output += worker.written()
    if isStopping { return giveUp(index, worker) }
    let recorder = worker.recorder
    let spot = WorkUnit.Spot(recorder)
    // No program has taken a step: workers cannot be started here.
    if recorder.executions == 0, units[index].attempts == WorkUnit.mostAttempts {
      throw WorkerFault.neverBegan(units[index].output)
    }
    let isSame = units[index].lastDeath == spot
    units[index].lastDeath = spot
    if units[index].isIsolated,
      isSame && recorder.threads > 1 || units[index].attempts >= WorkUnit.mostAttempts
    {
      let death = Death(cause, in: recorder, errors: units[index].output)
      units[index].outcome = WorkResult(
        ended: units[index], by: death, scenarios[units[index].scenario], recorder)
    } else {
      if recorder.executions > 0 { units[index].isIsolated = true }
      units[index].safeExecutions = max(0, recorder.executions - (recorder.isExecuting ? 1 : 0))
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
      try lost(worker, unit, cause)
    }
    let signal = cp_signals_read(signals)
    if signal != 0 {
      if case .signal = ending { return kill() }
      stop(.signal(signal), patience: .milliseconds(400))
    } else if !isStopping, let limit = settings.timeLimit, Duration.nanoseconds(cp_now() - began) >= limit {
      stop(.timeLimit, patience: .seconds(2))
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

  /// Takes from a worker without an answer only the number of schedules that it had tried.
  private func giveUp(_ unit: Int, _ worker: WorkerProcess) {
    units[unit].outcome = WorkResult(
      stopped: units[unit], scenarios[units[unit].scenario], schedules: worker.recorder.schedules)
  }
}

// MARK: - Results

extension WorkerPool {
  private func deliverComplete() throws {
    while delivered < scenarios.count, isComplete(delivered) { try deliver(delivered) }
  }

  private func isComplete(_ scenario: Int) -> Bool {
    units.allSatisfy { $0.scenario != scenario || $0.outcome != nil }
  }

  /// After an early end, delivers the scenarios that a worker had begun; returns the number of the others.
  private func deliverBegun() throws -> Int {
    var notBegun = 0
    while delivered < scenarios.count {
      if units.contains(where: { $0.scenario == delivered && $0.attempts > 0 }) {
        try deliver(delivered)
      } else {
        notBegun += 1
        delivered += 1
      }
    }
    return notBegun
  }

  private func deliver(_ index: Int) throws {
    let scenario = scenarios[index]
    let usage = Usage()
    let results = units.filter { $0.scenario == index }.map { unit in
      let result = unit.outcome ?? WorkResult(stopped: unit, scenario, schedules: 0)
      usage.add(result.usage)
      return result.result
    }
    let isStopped = results.contains(where: \.isStopped)
    delivered = index + 1
    progress.clear()
    try handOver(
      index,
      ScenarioResult(
        scenario: scenario, variants: results, untested: isStopped ? [] : usage.unused(in: scenario)))
  }
}

// MARK: - Progress

extension WorkerPool {
  private func showProgress() {
    guard progress.isShown else { return }
    let finished = units.compactMap(\.outcome?.result.report)
    var schedules = 0
    var behaviours = 0
    for report in finished {
      schedules += report.schedules
      behaviours += report.behaviours
    }
    for (worker, _) in busy {
      schedules += worker.recorder.schedules
      behaviours += worker.recorder.behaviours
    }
    progress.show(
      ProgressLine.State(
        variants: finished.count, of: units.count, schedules: schedules, behaviours: behaviours,
        elapsed: .nanoseconds(cp_now() - began), limit: settings.timeLimit))
  }
}
