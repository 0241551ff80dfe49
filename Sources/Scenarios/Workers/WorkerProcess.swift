internal import CProcesses
import Foundation
import Simulator

/// A worker, seen from its parent.
final class WorkerProcess {
  let recorder: FlightRecorder
  /// Answers come here.
  let socket: Int32
  /// What it writes comes here.
  let output: Int32
  private let pid: Int32
  private let recorderDescriptor: Int32
  private var answers = Data()
  /// The end of what it has written.
  private(set) var lastOutput = ""
  private var hasEnded = false
  /// What it looked like when something moved last, and for how long it has stood still since.
  private var moved: (progress: UInt64, memory: UInt64) = (0, 0)
  private var stillness = cp_stillness()

  /// Starts this executable again.
  init() throws(WorkerFault) {
    let descriptor = cp_recorder_descriptor()
    guard descriptor >= 0, let recorder = FlightRecorder.mapped(descriptor) else { throw .noSharedMemory }
    let worker = Self.spawn(descriptor)
    guard worker.pid > 0 else {
      close(descriptor)
      throw .notStarted(reason: unsafe String(cString: strerror(worker.error)))
    }
    self.recorder = recorder
    recorderDescriptor = descriptor
    (pid, socket, output) = (worker.pid, worker.socket, worker.output)
  }

  deinit {
    if !hasEnded {
      cp_kill(pid)
      _ = cp_reap(pid)
    }
    close(socket)
    close(output)
    close(recorderDescriptor)
  }

  /// Passes the arguments of this process on, so that lists of processes show the same command; the worker
  /// never reads them.
  private static func spawn(_ recorder: Int32) -> cp_worker {
    unsafe cp_spawn(CommandLine.unsafeArgv, Worker.variable, "\(getpid())", recorder)
  }

  /// Sends it an order.
  func order(_ order: WorkOrder) throws -> Bool {
    recorder.isToStop = false
    recorder.executions = 0
    lastOutput = ""
    moved = (recorder.progress, 0)
    stillness = cp_stillness_begin(pid)
    return try Message.send(order, to: socket)
  }

  /// The result of the order; nil as long as there is none. Throws when the worker has ended.
  func answer() throws -> WorkResult? {
    var isClosed = false
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !isClosed {
      let count = unsafe cp_read_some(socket, &buffer, buffer.count)
      if count < 0 { break }
      if count == 0 { isClosed = true }
      answers.append(contentsOf: buffer.prefix(count))
    }
    if let result = try Message.take(WorkResult.self, from: &answers) { return result }
    if isClosed { throw WorkerGone() }
    return nil
  }

  /// What it has written since the last time.
  func written() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = unsafe cp_read_some(output, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    lastOutput = String((lastOutput + text).suffix(8_192))
    return text
  }

  /// The limit that it exceeds; nil if it keeps within all of them.
  func excess(over limits: WorkLimits) -> Death.Cause? {
    let progress = recorder.progress
    let memory = cp_memory(pid)
    // A process that grows without end is stopped for its size, even on a slow machine.
    if progress != moved.progress || recorder.watches || memory > moved.memory + limits.memory / 32 {
      moved = (progress, memory)
      stillness = cp_stillness_begin(pid)
    }
    // Work between executions is not the program's and may take longer.
    let patience = recorder.isExecuting ? limits.stall : limits.stall * 6
    if unsafe Duration.nanoseconds(cp_stillness_now(&stillness, pid)) > patience {
      return .stalled(limits.stall)
    }
    return memory > limits.memory ? .tooLarge(limits.memory) : nil
  }

  /// Ends it.
  func kill() -> Death.Cause {
    cp_kill(pid)
    return end()
  }

  /// Waits for its end; returns how it ended.
  func end() -> Death.Cause {
    hasEnded = true
    let end = cp_reap(pid)
    // The processes that it started end with it.
    cp_kill_group(pid)
    return end.signal != 0 ? .signal(end.signal) : .exit(end.status)
  }
}

/// A worker has closed its end of the connection.
struct WorkerGone: Error {}

/// The reason why there is no worker.
enum WorkerFault: Error, CustomStringConvertible {
  case noSharedMemory
  case notStarted(reason: String)
  case neverBegan(String)

  var description: String {
    switch self {
    case .noSharedMemory:
      "no memory can be shared with a worker process, perhaps for a limit on the size of files"
    case .neverBegan(let output): "worker processes end before they begin: \(Echo.plain(output))"
    case .notStarted(let reason): "a worker process could not be started: \(reason)"
    }
  }
}
