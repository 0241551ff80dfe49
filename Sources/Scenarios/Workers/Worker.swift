internal import CProcesses
import Foundation
import Simulator

/// This process as a worker of another process.
struct Worker {
  private let systems: [any System.Type]
  private let recorder: FlightRecorder

  /// The environment variable that makes a process a worker; its value is the process number of the parent.
  static let variable = "SIMRUN_WORKER_OF"

  /// Nil when this process is no worker. A worker whose parent has ended ends here.
  init?(systems: [any System.Type]) {
    guard let text = ProcessInfo.processInfo.environment[Self.variable], let parent = Int32(text) else {
      return nil
    }
    // Processes that this one starts are no workers.
    unsafe unsetenv(Self.variable)
    guard cp_worker_begin(parent), let recorder = FlightRecorder.mapped(CP_WORKER_RECORDER) else {
      cp_leave(1)
    }
    self.systems = systems
    self.recorder = recorder
  }

  /// Performs orders until the parent closes the connection.
  func work() -> Never {
    do {
      while let order = try Message.receive(WorkOrder.self, from: CP_WORKER_SOCKET) {
        let result = try perform(order)
        fflush(nil)
        guard try Message.send(result, to: CP_WORKER_SOCKET) else { break }
      }
    } catch {
      Terminal.standard.error("a worker cannot go on: \(error)")
      cp_leave(ToolStatus.failure.rawValue)
    }
    cp_leave(0)
  }

  private func perform(_ order: WorkOrder) throws -> WorkResult {
    try RuntimeControl.verify()
    guard let type = systems.first(where: { $0.descriptor.name == order.scenario.system }) else {
      throw UnknownName("system", order.scenario.system)
    }
    guard let expectation = order.scenario.expectation(of: order.variant) else {
      throw UnknownName("variant", order.variant)
    }
    recorder.executions = 0
    recorder.schedules = 0
    recorder.behaviours = 0
    var runner = ScenarioRunner(scenario: order.scenario, type: type)
    runner.confinement = Confinement(
      isolation: order.isIsolated ? .forks : .none, limits: order.limits.processLimits, recorder: recorder,
      safeExecutions: order.safeExecutions)
    return WorkResult(result: runner.run(expectation), usage: runner.usage.total)
  }
}
