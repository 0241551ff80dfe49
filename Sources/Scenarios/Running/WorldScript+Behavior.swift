import ScenarioFiles
import Simulator

extension WorldScript {
  /// What the calls of each operation of each fake are like.
  func behaviors(in descriptor: SystemDescriptor) -> [String: [String: [FakeBehavior]]] {
    Dictionary(
      descriptor.fakes.map { ($0.name, behaviors(of: $0.name, in: descriptor)) }, uniquingKeysWith: { $1 })
  }

  /// What the calls of each operation of a fake are like, one after the other; the last repeats.
  func behaviors(of fake: String, in descriptor: SystemDescriptor) -> [String: [FakeBehavior]] {
    let operations = descriptor.fakes.first { $0.name == fake }?.operations ?? []
    return Dictionary(
      uniqueKeysWithValues: operations.map { operation in
        (operation.name, (self[fake, operation.name] ?? OperationScript()).behaviors(of: operation))
      })
  }
}

extension WorldScript {
  /// The connection of an execution that begins: when it is down is decided on now.
  var connection: FakeConnection {
    FakeConnection(
      offline: offline.map { FakeConnection.Period(from: $0.from.timing, for: $0.length.timing) })
  }
}

extension [String: [String: [FakeBehavior]]] {
  /// The same, with `connection` as what the remote fakes of a system are reached over.
  func over(_ connection: FakeConnection, in descriptor: SystemDescriptor) -> Self {
    guard connection != .up else { return self }
    var behaviors = self
    for fake in descriptor.fakes where fake.isRemote {
      behaviors[fake.name] = behaviors[fake.name]?.mapValues { calls in
        calls.map { behavior in
          var behavior = behavior
          behavior.connection = connection
          return behavior
        }
      }
    }
    return behaviors
  }
}

extension OperationScript {
  /// What the calls of `operation` are like, one after the other; the last repeats.
  func behaviors(of operation: SystemDescriptor.Operation) -> [FakeBehavior] {
    (0..<max(1, calls.count)).map { settings(forCall: $0).behavior(of: operation) }
  }
}

extension OperationSettings {
  fileprivate func behavior(of operation: SystemDescriptor.Operation) -> FakeBehavior {
    FakeBehavior(
      arrivalDelay: arrivalDelay?.timing, delay: delay?.timing ?? .none, spend: spend?.timing ?? .none,
      replies: (reply?.values ?? Array(operation.replies.prefix(1))).map(FakeReply.called).orElse([.ok()]),
      faults: (fails?.values ?? []).map(FakeFault.called).orElse([.noFault]),
      ignoresCancellation: ignoresCancel?.values ?? [false])
  }
}

extension FakeReply {
  /// The reply that a descriptor calls `name`: one that every network knows, or else one that only the system
  /// understands.
  fileprivate static func called(_ name: String) -> FakeReply {
    [.offline, .timedOut, .connectionLost].first { $0.name == name } ?? .status(200, named: name)
  }
}

extension FakeFault {
  /// The fault that a descriptor calls `name`.
  fileprivate static func called(_ name: String) -> FakeFault {
    guard let fault = FakeFault(rawValue: name) else {
      preconditionFailure(
        "a descriptor lists the fault \(name); allowed: \(FakeFault.allCases.map(\.rawValue))")
    }
    return fault
  }
}

extension TimeOffer {
  /// As a fake takes it.
  var timing: FakeTiming {
    switch self {
    case .fixed(let length): .fixed(length.duration)
    case .range(let range): .range(range.lowerBound.duration...range.upperBound.duration)
    case .alternatives(let lengths): .alternatives(lengths.map(\.duration))
    }
  }
}

extension Array {
  fileprivate func orElse(_ other: [Element]) -> [Element] { isEmpty ? other : self }
}
