internal import CProcesses
import Foundation
import Simulator

extension WorkerPool {
  func deliverComplete() throws {
    while delivered < scenarios.count, isComplete(delivered) { try deliver(delivered) }
  }

  private func isComplete(_ scenario: Int) -> Bool {
    units.allSatisfy { $0.scenario != scenario || $0.outcome != nil }
  }

  /// After an early end, delivers the scenarios that a worker had begun; returns the number of the others. A shard delivers
  /// all, so that others can be joined with it.
  func deliverBegun() throws -> Int {
    var notBegun = 0
    while delivered < scenarios.count {
      if settings.shard != nil || units.contains(where: { $0.scenario == delivered && $0.attempts > 0 }) {
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
    let results = units.indices.filter { units[$0].scenario == index }.map { unit in
      let result = units[unit].outcome ?? known(of: unit)
      if units[unit].outcome == nil { arrive(index, result.result) }
      usage.add(result.usage)
      return result.result
    }
    let isStopped = results.contains { $0.isStopped || $0.isNotJudged }
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
  func showProgress() {
    guard progress.isShown else { return }
    let finished = units.compactMap(\.outcome?.result.report)
    var schedules = 0
    var behaviors = 0
    for report in finished {
      schedules += report.schedules
      behaviors += report.behaviors
    }
    for (worker, _) in busy {
      schedules += worker.recorder.schedules
      behaviors += worker.recorder.behaviors
    }
    progress.show(
      ProgressLine.State(
        variants: finished.count, of: units.count, schedules: schedules, behaviors: behaviors,
        elapsed: .nanoseconds(cp_now() - began), limit: settings.timeLimit))
  }
}
