internal import CProcesses
internal import Foundation

/// Copies of this process that run the lanes of a search beside it.
///
/// A copy has what the search has learned, and what its program has kept. It dies with this process.
final class Crew {
  /// A member's place, as the member knows it.
  struct Place {
    let index: Int
    /// How many members there are.
    let count: Int
    let socket: Int32
  }

  private struct Member {
    let process: cp_child
    let socket: Int32
    /// Where its executions show.
    let recorder: FlightRecorder
    var progress: UInt64 = 0
    var stillness: cp_stillness
    /// The names that have places in what it tells.
    var names: [String] = []
  }

  private var members: [Member] = []
  private let runner: Runner
  private let limits: Explorer.ProcessLimits

  /// So many copies of this process, in each of which `work` runs; nil where not all of them can be had.
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

  /// The next round of `lane`, whose member is waited for until `isDone`; nil where that comes first, or the member is lost.
  func told(of lane: Int, unless isDone: () -> Bool) -> LaneReport? {
    let index = lane % members.count
    // Who watches this process sees that it waits for a child.
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

  /// Whether a member stands still, or has grown too large.
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

  /// Ends all of them.
  func end() {
    for member in members {
      cp_close(member.socket)
      cp_end_child(member.process)
    }
    members = []
  }
}
