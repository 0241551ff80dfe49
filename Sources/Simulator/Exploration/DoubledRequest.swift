internal import SimulatorCore

/// A request that two tasks send side by side in a failing run, and that only one of them sends in a passing run. There
/// the other task comes later and returns without a request, or refuses by itself. So each task first checks if it must
/// ask, and in the failing run the result of that check was no longer true.
struct DoubledRequest {
  /// The sentence that names the tasks and the request.
  let sentence: String

  /// Compares the two runs; nil if they do not show such a request.
  init?(_ failing: Trace, upTo step: Int, onceIn passing: Trace) {
    for pair in failing.doubledRequests(upTo: step) {
      let tasks = [pair.first, pair.second].compactMap { passing.index(of: $0, in: failing) }
      guard tasks.count == 2 else { continue }
      let flights = passing.flights.filter { $0.isSame(as: pair.call) }
      guard let flight = flights.first, flights.count == 1, let ended = flight.ended, flight.hasReturned,
        let sender = flight.task, let other = tasks.first(where: { $0 != sender }), tasks.contains(sender)
      else { continue }
      guard passing.goesOn(sender, after: ended), passing.returns(other, after: ended) else { continue }
      let names = [pair.first, pair.second].map { failing.name(ofTask: $0) }
      sentence =
        "\(names[0]) and \(names[1]) both sent \(pair.call.operation); one after the other only the first does"
      return
    }
    return nil
  }
}

/// A call, the task that made it, and the index of the event at which it ended.
private struct Flight {
  let call: Trace.Call
  let task: Int?
  var ended: Int?
  var hasReturned = false

  /// Returns true if it asks for the same thing.
  func isSame(as other: Trace.Call) -> Bool {
    call.fake == other.fake && call.operation == other.operation && call.detail == other.detail
  }
}

extension Trace {
  /// Returns the index of the same task in this trace; nil if it is not here.
  fileprivate func index(of task: Int, in other: Trace) -> Int? {
    let path = other.path(ofTask: task)
    return tasks.indices.first { self.path(ofTask: $0) == path }
  }

  /// All calls, in the order in which they began.
  fileprivate var flights: [Flight] {
    var flights: [Flight] = []
    var places: [Int: Int] = [:]
    for (index, event) in events.enumerated() {
      switch event.kind {
      case .began(let call):
        places[call.id] = flights.count
        flights.append(Flight(call: call, task: event.task))
      case .ended(let call, let outcome):
        guard let place = places[call.id] else { continue }
        flights[place].ended = index
        if case .returned = outcome { flights[place].hasReturned = true }
      default: break
      }
    }
    return flights
  }

  /// Returns the pairs of tasks of which one sends a request that the other has in flight.
  fileprivate func doubledRequests(upTo step: Int) -> [(first: Int, second: Int, call: Trace.Call)] {
    var pairs: [(Int, Int, Trace.Call)] = []
    var flying: [(task: Int, call: Trace.Call)] = []
    for event in events where event.step <= step {
      switch event.kind {
      case .began(let call):
        guard let task = event.task else { continue }
        let same = flying.first {
          $0.task != task && Flight(call: $0.call, task: nil).isSame(as: call)
        }
        if let same { pairs.append((same.task, task, call)) }
        flying.append((task, call))
      case .ended(let call, _): flying.removeAll { $0.call.id == call.id }
      default: break
      }
    }
    return pairs
  }

  /// Returns true if the task takes a step after that event.
  fileprivate func goesOn(_ task: Int, after index: Int) -> Bool {
    events[index...].contains { $0.kind == .step && $0.task == task }
  }

  /// Returns true if the action that is this task returns after that event, or throws although no call has failed.
  fileprivate func returns(_ task: Int, after index: Int) -> Bool {
    let hasFailure = events.contains { event in
      guard case .ended(_, .threw) = event.kind else { return false }
      return true
    }
    return events[index...].contains { event in
      guard event.task == task, case .actionEnded(_, let outcome) = event.kind else { return false }
      return switch outcome {
      case .returned: true
      case .threw: !hasFailure
      case .cancelled: false
      }
    }
  }
}
