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
    var watch: ProcessWatch
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
      process: process, socket: ends.one, watch: ProcessWatch(process.pid, own))
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
    guard let report = ProcessMessage.receiveBody(from: members[index].socket) else { return nil }
    return LaneReport(Array(report), names: &members[index].names)
  }

  /// Returns true if a member stands still or has grown too large.
  private func isBeyondLimits(_ index: Int) -> Bool {
    _ = members[index].watch.look()
    return members[index].watch.excess(over: limits) != nil
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
