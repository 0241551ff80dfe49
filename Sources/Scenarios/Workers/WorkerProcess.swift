internal import CProcesses
import Foundation
import ScenarioFiles
import Simulator

/// A worker, seen from its parent.
final class WorkerProcess {
  let recorder: FlightRecorder
  /// Answers come here.
  let socket: Int32
  /// What it writes comes here.
  let output: Int32
  /// Can be read when it has ended.
  private let ended: Int32
  private let pid: Int32
  private var answers = Data()
  /// Whether it can still say something. A program may have closed all files that it found.
  private(set) var isConnected = true
  private var hasOutput = true
  /// The end of what it has written.
  private(set) var lastOutput = ""
  private var hasEnded = false
  private var watch: ProcessWatch

  /// A copy of what `server` is; without one, this executable started again.
  convenience init(from server: ForkServer?) throws(WorkerFault) {
    if let server {
      try self.init { server.copy($0) }
    } else {
      try self.init(as: .worker)
    }
  }

  /// Starts this executable again.
  convenience init(as role: Worker.Role) throws(WorkerFault) {
    // It is passed the arguments of this process, so that lists of processes show the same command; it never reads them.
    try self.init {
      unsafe cp_spawn(Executable.unsafeArguments, Worker.variable, role.mark(of: getpid()), $0)
    }
  }

  private init(_ start: (_ recorder: Int32) -> cp_worker) throws(WorkerFault) {
    let descriptor = cp_recorder_descriptor()
    guard descriptor >= 0, let recorder = FlightRecorder.mapped(descriptor) else {
      throw errno == EMFILE ? .notStarted(errno) : .noSharedMemory
    }
    let worker = start(descriptor)
    close(descriptor)
    guard worker.pid > 0 else { throw .notStarted(worker.error) }
    self.recorder = recorder
    (pid, socket, output, ended) = (worker.pid, worker.socket, worker.output, worker.ended)
    watch = ProcessWatch(pid, recorder)
  }

  deinit {
    if !hasEnded {
      cp_kill(pid)
      _ = cp_reap(pid)
    }
    close(socket)
    close(output)
    if ended >= 0 { close(ended) }
  }

  /// What can be read when there is something new of it.
  var descriptors: [Int32] { (isConnected ? [socket] : []) + (hasOutput ? [output] : []) + [ended] }

  /// Sends it an order.
  func order(_ order: WorkOrder) throws -> Bool {
    recorder.isToStop = false
    recorder.executions = 0
    lastOutput = ""
    watch = ProcessWatch(pid, recorder)
    return ProcessMessage.send(body: try JSONEncoder().encode(order), to: socket)
  }

  /// What it has said; nil as long as there is nothing new. Throws when it has ended, or cannot be understood.
  func answer() throws(WorkerLost) -> WorkerMessage? {
    // Asked first: what it had said before its end is there to be read.
    let hasEnded = cp_has_ended(pid)
    read()
    do {
      if let body = try ProcessMessage.take(from: &answers) { return try WorkerMessage(body) }
    } catch {
      throw .garbled
    }
    if !isConnected, let answer = recorder.answer(leftBy: pid) {
      defer { close(answer) }
      guard let result: WorkResult = ProcessMessage.receive(from: answer) else { throw .garbled }
      return .done(result)
    }
    if hasEnded { throw .ended }
    return nil
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while isConnected {
      let count = unsafe cp_read_some(socket, &buffer, buffer.count)
      if count < 0 { break }
      if count == 0 { isConnected = false }
      answers.append(contentsOf: buffer.prefix(count))
    }
  }

  /// What it has written since the last time.
  func written() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = unsafe cp_read_some(output, &buffer, buffer.count)
      if count == 0 { hasOutput = false }
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    lastOutput = String((lastOutput + text).suffix(8_192))
    return text
  }

  /// The limit that it exceeds; nil if it keeps within all of them.
  func excess(over limits: Explorer.ProcessLimits) -> Death.Cause? {
    _ = watch.look()
    return watch.excess(over: limits)
  }

  /// Ends it.
  func kill() -> Death.Cause {
    cp_kill(pid)
    return end()
  }

  /// Waits for its end; returns how it ended.
  func end() -> Death.Cause {
    hasEnded = true
    // The processes that it started end with it. As long as it is not reaped, nobody else has its number.
    while !cp_has_ended(pid) { usleep(1_000) }
    cp_kill_group(pid)
    let end = cp_reap(pid)
    return recorder.cause(signal: end.signal, status: end.status, isLost: end.is_lost)
  }
}

/// The reason why a worker says nothing more.
enum WorkerLost: Error {
  case ended
  /// What it says cannot be understood.
  case garbled
}

/// The reason why there is no worker.
enum WorkerFault: Error, CustomStringConvertible {
  case noSharedMemory
  /// With the system's error.
  case notStarted(Int32)
  case neverBegan(String)

  var description: String {
    switch self {
    case .noSharedMemory:
      "no memory can be shared with a worker process, perhaps for a limit on the size of files"
    case .neverBegan(let output): "worker processes end before they begin: \(Echo.plain(output))"
    case .notStarted(let code):
      unsafe "a worker process could not be started: \(String(cString: strerror(code)))\(Self.cure(of: code))"
    }
  }

  private static func cure(of code: Int32) -> String {
    switch code {
    case EMFILE: "; raise the limit (ulimit -n)"
    case EAGAIN: "; raise the limit of processes (ulimit -u, or that of the container)"
    default: ""
    }
  }
}
