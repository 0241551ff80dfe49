import Dispatch
import Foundation
import Simulator
import TwinPrograms

extension TwinProgram {
  /// Lines are collected on a serial queue and uploaded in batches on another; a batch that does not arrive is put back.
  static let logShipper = TwinProgram(
    "log shipper", "serial queues, a dispatch group, a lock",
    bug:
      "A batch that failed leaves the group before it is put back: closing overtakes it, and drops it.",
    deviations: 2
  ) { simulation, twin in
    let server = Server(simulation)
    let shipper = LogShipper(limit: 2, server, twin)
    await withDiscardingTaskGroup { group in
      for task in 0..<2 {
        group.addTask {
          for line in 0..<3 {
            shipper.log("\(task).\(line)")
            await Task.yield()
          }
        }
      }
    }
    shipper.close()
    let count = server.lines.count
    if count != 6 { simulation.fail("every line arrives", "\(count) of 6 lines arrived") }
  }
}

private final class Server: @unchecked Sendable {
  // @unchecked Sendable because `received` is reached under the lock only.
  private let lock = NSLock()
  private var received: [String] = []
  private let simulation: Simulation

  init(_ simulation: Simulation) { self.simulation = simulation }

  var lines: [String] { lock.withLock { received } }

  /// Whether the batch has arrived.
  func take(_ batch: [String]) -> Bool {
    let arrives = simulation.choose(.fault, among: [true, false])
    if arrives { lock.withLock { received += batch } }
    return arrives
  }

  func takeLast(_ batch: [String]) { lock.withLock { received += batch } }
}

private final class LogShipper: @unchecked Sendable {
  // @unchecked Sendable because `lines` is reached on `queue` only.
  private let queue = DispatchQueue(label: "log")
  private let uploads = DispatchQueue(label: "uploads")
  private let group = DispatchGroup()
  private var lines: [String] = []
  private let limit: Int
  private let server: Server
  private let twin: TwinProgram.Twin

  init(limit: Int, _ server: Server, _ twin: TwinProgram.Twin) {
    self.limit = limit
    self.server = server
    self.twin = twin
  }

  func log(_ line: String) {
    queue.async {
      self.lines.append(line)
      if self.lines.count >= self.limit { self.ship() }
    }
  }

  /// Everything that was logged has arrived when it returns.
  func close() {
    queue.sync {}
    group.wait()
    queue.sync {
      // No more attempts: the last batch goes by a way that does not fail.
      server.takeLast(lines)
      lines = []
    }
  }

  private func ship() {
    let batch = lines
    lines = []
    group.enter()
    uploads.async { [self] in
      if server.take(batch) { return group.leave() }
      switch twin {
      case .seeded:
        group.leave()
        queue.async { self.lines = batch + self.lines }
      case .mended:
        queue.async {
          self.lines = batch + self.lines
          self.group.leave()
        }
      }
    }
  }
}
