package import SimulatorCore

extension Invariant {
  /// No owner asks both the network and the store.
  ///
  /// The race: one actor does both, and what it knows of the store is old when the network has answered.
  ///
  /// An owner is an actor, a serial queue or a thread. What runs on the concurrent pool has none. O(1) an event.
  ///
  /// - Parameters:
  ///   - network: The fakes that stand for servers.
  ///   - stores: The fakes that stand for disks.
  package static func ownersApart(network: [String], stores: [String]) -> Invariant {
    Invariant("owners-apart", "Network and store are asked by different owners.") {
      OwnersApart(network: network, stores: stores)
    }
  }

  /// Neither the network nor the store is asked from the main actor.
  ///
  /// The fault: a screen talks to the server itself. What the call does before it first waits, such as building a request, is done
  /// on the main actor's time, and so is what is done with its answer.
  ///
  /// O(1) an event.
  ///
  /// - Parameter fakes: The fakes that stand for servers and disks.
  package static func askedOffMain(_ fakes: [String]) -> Invariant {
    Invariant("asked-off-main", "Network and store are asked off the main actor.") {
      AskedOffMain(fakes: fakes)
    }
  }
}

private struct OwnersApart: Invariant.Monitor {
  let network: [String]
  let stores: [String]
  /// By domain: what it has asked of the network, and of the store.
  private var sent: [Int: Trace.Call] = [:]
  private var saved: [Int: Trace.Call] = [:]

  init(network: [String], stores: [String]) {
    (self.network, self.stores) = (network, stores)
  }

  var judged: Bool { !sent.isEmpty && !saved.isEmpty }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .began(let call) = event.kind, !event.isOnPool else { return nil }
    if network.contains(call.fake) {
      sent[event.domain] = call
    } else if stores.contains(call.fake) {
      saved[event.domain] = call
    } else {
      return nil
    }
    guard let request = sent[event.domain], let access = saved[event.domain] else { return nil }
    let owner = event.isOnMainActor ? "the main actor" : "one owner"
    return "\(owner) asks \(request.fake) (\(request.operation)) and \(access.fake) (\(access.operation))"
  }
}

private struct AskedOffMain: Invariant.Monitor {
  let fakes: [String]
  private(set) var judged = false

  init(fakes: [String]) {
    self.fakes = fakes
  }

  mutating func saw(_ event: Trace.Event) -> String? {
    guard case .began(let call) = event.kind, fakes.contains(call.fake) else { return nil }
    judged = true
    guard event.isOnMainActor else { return nil }
    return "at \(event.time) \(call.fake) is asked from the main actor (\(call.operation))"
  }
}
