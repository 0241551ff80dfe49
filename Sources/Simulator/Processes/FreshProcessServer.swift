internal import CConcurrencyHooks
internal import CProcesses
internal import Foundation
internal import SimulatorCore
internal import SimulatorKernel

/// A copy of this process from before it ran the program. It waits for requests, and runs each requested schedule in a child
/// of its own.
final class FreshProcessServer {
  private struct Request: Codable {
    let id: Int
    let schedule: Schedule
    let number: Int
    let seed: UInt64
    let keepingEvents: Bool
    let moved: Int
  }

  /// The server's reply to a request. The execution itself is where ``FreshProcesses/lastAnswer`` reads it.
  private struct Reply: Codable {
    let id: Int
    let isAnswered: Bool
  }

  private let fresh: FreshProcesses
  private let child: cp_child
  private let socket: Int32
  private var requests = 0

  /// Makes the copy; nil if that is not possible.
  init?(_ fresh: FreshProcesses, _ runner: Runner) {
    let ends = cp_connect()
    guard ends.one >= 0, ends.other >= 0 else { return nil }
    self.fresh = fresh
    socket = ends.one
    ch_keep_descriptor(socket)
    child = cp_fork(-1)
    if child.pid == 0 {
      cp_close(ends.one)
      Self.serve(ends.other, fresh, runner)
    }
    cp_close(ends.other)
    guard child.pid > 0 else {
      cp_close(ends.one)
      return nil
    }
  }

  /// Ends the copy. Only the process that made it may do so.
  func end() {
    cp_close(socket)
    cp_end_child(child)
  }

  /// Returns execution `number` under `schedule` in a fresh process, with its events if `keepingEvents`; nil if no process
  /// could run it. With a different `moved`, its objects have other addresses.
  func observe(
    _ schedule: Schedule, number: Int, seed: UInt64, keepingEvents: Bool = false, moved: Int = 0
  ) -> Simulation.Execution? {
    requests += 1
    let request = Request(
      id: requests, schedule: schedule, number: number, seed: seed, keepingEvents: keepingEvents, moved: moved
    )
    // A process that watches this one sees that it waits for a child.
    let watched = fresh.isWatching
    fresh.isWatching = true
    defer { fresh.isWatching = watched }
    guard ProcessMessage.send(request, to: socket) else { return nil }
    while let reply: Reply = ProcessMessage.receive(from: socket) {
      // A process that ran ahead of this one may have ended before it read a reply.
      guard reply.id == request.id else { continue }
      guard reply.isAnswered, let data = fresh.lastAnswer else { return nil }
      return try? JSONDecoder().decode(Simulation.Execution.self, from: data)
    }
    return nil
  }

  private static func serve(_ socket: Int32, _ fresh: FreshProcesses, _ runner: Runner) -> Never {
    while let request: Request = ProcessMessage.receive(from: socket) {
      let end = fresh.runUnread { execution(request, runner, before: nil) }
      var isAnswered = false
      switch end {
      case .answered: isAnswered = true
      case .died(let death):
        if case .answered = fresh.runUnread({ execution(request, runner, before: death) }) {
          isAnswered = true
        }
      case .lost: break
      }
      guard ProcessMessage.send(Reply(id: request.id, isAnswered: isAnswered), to: socket) else { break }
    }
    cp_leave(0)
  }

  private static func execution(_ request: Request, _ runner: Runner, before death: Death?) -> Data {
    runner.describesAll = true
    let outcome = {
      runner.replaying(request.schedule) {
        runner.executeHere(
          request.number, seed: request.seed, keepingEvents: request.keepingEvents, before: death)
      }
    }
    var memory = MovedMemory()
    let execution = request.moved > 0 ? memory.running(request.moved, outcome) : outcome()
    return (try? JSONEncoder().encode(execution.execution)) ?? Data()
  }
}
