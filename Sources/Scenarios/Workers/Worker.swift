internal import CProcesses
import Foundation
import ScenarioFiles
import Simulator

/// This process as a worker of another process.
struct Worker {
  private let systems: [any System.Type]
  private let recorder: FlightRecorder

  /// The environment variable that makes a process a worker; its value is the process number of the parent, and what kind
  /// of worker it is.
  static let variable = "SIMRUN_WORKER_OF"

  /// What a process that has that variable does.
  enum Role: String {
    case worker
    /// See ``ForkServer``.
    case server

    func mark(of parent: Int32) -> String { "\(parent) \(rawValue)" }
  }

  /// Nil when this process is no worker. A worker whose parent has ended ends here.
  init?(systems: [any System.Type]) {
    guard let text = ProcessInfo.processInfo.environment[Self.variable] else { return nil }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, let parent = Int32(words[0]), let role = Role(rawValue: words[1]) else {
      return nil
    }
    // Processes that this one starts are no workers.
    unsafe unsetenv(Self.variable)
    guard let recorder = FlightRecorder.ofWorker(startedBy: parent) else { cp_leave(1) }
    self.systems = systems
    self.recorder = recorder
    if role == .server { ForkServer.serve(parent, recorder) }
  }

  /// Performs orders until the parent closes the connection.
  func work() -> Never {
    do {
      while let order: WorkOrder = ProcessMessage.receive(from: cp_worker_socket()) {
        let result = try perform(order)
        fflush(nil)
        guard try answer(result) else { break }
      }
    } catch {
      Terminal.standard.error("a worker cannot go on: \(error)")
      cp_leave(ToolStatus.failure.rawValue)
    }
    cp_leave(0)
  }

  /// Sends an answer; false when nobody is there to read it.
  private func answer(_ result: WorkResult) throws -> Bool {
    let body = try JSONEncoder().encode(result)
    let socket = cp_worker_socket()
    if socket >= 0 { return ProcessMessage.send(body: body, to: socket) }
    // The program has closed files that are not its own. The parent finds the answer, and ends this process.
    let bytes = ProcessMessage.framed(body)
    guard unsafe bytes.withUnsafeBytes({ unsafe recorder.leave(answer: $0) }) else { return false }
    while true { sleep(1_000) }
  }

  /// Tells what has been found so far. A process that runs ahead does all the same, but for the sending.
  private static func tell(_ found: [Invariant.Violation], from pid: Int32) {
    guard let body = try? JSONEncoder().encode(found), cp_self() == pid else { return }
    let socket = cp_worker_socket()
    if socket >= 0 { _ = ProcessMessage.send(body: body, to: socket) }
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
    recorder.number = 0
    recorder.behaviors = 0
    var runner = ScenarioRunner(scenario: order.scenario, type: type)
    runner.shard = order.shard
    runner.confinement = Confinement(
      isolation: order.isIsolated ? .forks : .none, limits: order.limits, recorder: recorder,
      safeExecutions: order.safeExecutions, jobs: order.jobs,
      found: { [pid = cp_self()] in Self.tell($0, from: pid) })
    return WorkResult(result: runner.run(expectation), usage: runner.usage.total)
  }
}
