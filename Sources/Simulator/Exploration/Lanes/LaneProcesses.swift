internal import CProcesses
internal import Foundation
internal import SimulatorCore
internal import SimulatorKernel

/// Copies of this process that run the lanes of a search beside it.
///
/// A copy has everything that the search has learned and that its program has kept. It dies with this process.
final class LaneProcesses {
  /// Which of the processes a process is.
  struct Place {
    let index: Int
    /// The number of members.
    let count: Int
    let socket: Int32
  }

  private struct Member {
    let process: cp_child
    let socket: Int32
    /// The recorder that shows its executions.
    let recorder: FlightRecorder
    var progress: UInt64 = 0
    var stillness: cp_stillness
    /// The names that already have places in its reports.
    var names: [String] = []
  }

  private var members: [Member] = []
  private let runner: Runner
  private let limits: Explorer.ProcessLimits

  /// Makes `count` copies of this process, each of which runs `work`; nil if it cannot make all of them.
  init?(_ count: Int, _ runner: Runner, _ limits: Explorer.ProcessLimits, work: (Place) -> Never) {
    (self.runner, self.limits) = (runner, limits)
    for index in 0..<count {
      guard let member = Self.member(index, of: count, beside: runner.recorder, work) else {
        end()
        return nil
      }
      members.append(member)
    }
  }

  private static func member(
    _ index: Int, of count: Int, beside recorder: FlightRecorder, _ work: (Place) -> Never
  ) -> Member? {
    let ends = cp_connect()
    guard ends.one >= 0, ends.other >= 0, let own = FlightRecorder.shared() else { return nil }
    let process = unsafe cp_beside(recorder.page, own.page)
    if process.pid == 0 {
      cp_close(ends.one)
      work(Place(index: index, count: count, socket: ends.other))
    }
    cp_close(ends.other)
    guard process.pid > 0 else {
      cp_close(ends.one)
      return nil
    }
    return Member(
      process: process, socket: ends.one, recorder: own, stillness: cp_stillness_begin(process.pid))
  }

  /// Waits for the member that runs `lane` and returns the lane's next round; nil if `isDone` first, or if the member is lost.
  func told(of lane: Int, unless isDone: () -> Bool) -> LaneReport? {
    let index = lane % members.count
    // A process that watches this one sees that it waits for a child.
    let watched = runner.recorder.watches
    runner.recorder.watches = true
    defer { runner.recorder.watches = watched }
    while true {
      var wait = cp_wait(descriptor: members[index].socket, ready: false)
      unsafe cp_wait_for(&wait, 1, 20)
      if wait.ready { break }
      if isDone() || isBeyondLimits(index) { return nil }
    }
    return receive(from: members[index].socket).flatMap { LaneReport($0, names: &members[index].names) }
  }

  /// Returns true if a member stands still or has grown too large.
  private func isBeyondLimits(_ index: Int) -> Bool {
    let member = members[index]
    if member.recorder.progress != member.progress {
      members[index].progress = member.recorder.progress
      members[index].stillness = cp_stillness_begin(member.process.pid)
    }
    let still = unsafe cp_stillness_now(&members[index].stillness, member.process.pid)
    return Duration.nanoseconds(still) > limits.stall || cp_memory(member.process.pid) > limits.memory
  }

  private func receive(from socket: Int32) -> [UInt8]? {
    var head = [UInt8](repeating: 0, count: 4)
    guard unsafe cp_read_all(socket, &head, 4) else { return nil }
    let length = head.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    var body = [UInt8](repeating: 0, count: length)
    guard length > 0, unsafe cp_read_all(socket, &body, length) else { return nil }
    return body
  }

  /// Ends all members.
  func end() {
    for member in members {
      cp_close(member.socket)
      cp_end_child(member.process)
    }
    members = []
  }
}
