import Simulator
import TwinPrograms

extension TwinProgram {
  /// A coordinator asks three participants to prepare, and tells them to commit if all of them are ready in time.
  static let twoPhaseCommit = TwinProgram(
    "two-phase commit", "actors, timers, cancellation, unstructured tasks",
    bug: "A participant that has promised to commit aborts by itself when the decision takes long.",
    deviations: 3
  ) { simulation, twin in
    let network = Network(simulation)
    let coordinator = Coordinator(network)
    let participants = (0..<3).map { Participant($0, coordinator, network, twin) }
    await coordinator.run(participants)
    try await Task.sleep(for: .milliseconds(500))
    var outcomes: [Bool?] = []
    for participant in participants { outcomes.append(await participant.outcome) }
    if Set(outcomes).count != 1 {
      let words = outcomes.map { $0.map { $0 ? "committed" : "aborted" } ?? "undecided" }
      simulation.fail("all or none", words.joined(separator: ", "))
    }
  }
}

private final class Network: Sendable {
  private let simulation: Simulation

  init(_ simulation: Simulation) { self.simulation = simulation }

  /// A message is on its way.
  func deliver(_ arrival: @escaping @Sendable () async -> Void) {
    let latency = simulation.choose(.delay, among: [10, 25, 40])
    Task {
      try? await Task.sleep(for: .milliseconds(latency))
      await arrival()
    }
  }
}

private actor Coordinator {
  private var ready: Set<Int> = []
  private var decision: Bool?
  private var waiting: CheckedContinuation<Void, Never>?
  private let network: Network

  init(_ network: Network) { self.network = network }

  func run(_ participants: [Participant]) async {
    let timeout = Task {
      try await Task.sleep(for: .milliseconds(90))
      decide(false)
    }
    for participant in participants { network.deliver { await participant.prepare() } }
    while ready.count < participants.count, decision == nil {
      await withCheckedContinuation { waiting = $0 }
    }
    timeout.cancel()
    decide(true)
    let isCommitted = decision == true
    for participant in participants { network.deliver { await participant.decided(isCommitted) } }
  }

  func isReady(_ participant: Int) {
    ready.insert(participant)
    wake()
  }

  /// What was decided; nil as long as nothing is.
  func outcome() -> Bool? { decision }

  private func decide(_ isCommitted: Bool) {
    if decision == nil { decision = isCommitted }
    wake()
  }

  private func wake() {
    waiting?.resume()
    waiting = nil
  }
}

private actor Participant {
  private(set) var outcome: Bool?
  private let number: Int
  private let coordinator: Coordinator
  private let network: Network
  private let twin: TwinProgram.Twin
  private var timeout: Task<Void, any Error>?

  init(_ number: Int, _ coordinator: Coordinator, _ network: Network, _ twin: TwinProgram.Twin) {
    self.number = number
    self.coordinator = coordinator
    self.network = network
    self.twin = twin
  }

  func prepare() {
    guard outcome == nil else { return }
    timeout = Task {
      try await Task.sleep(for: .milliseconds(100))
      await giveUp()
    }
    network.deliver { [self] in await coordinator.isReady(number) }
  }

  func decided(_ isCommitted: Bool) {
    timeout?.cancel()
    if outcome == nil { outcome = isCommitted }
  }

  private func giveUp() async {
    switch twin {
    case .seeded: decided(false)
    case .mended:
      // It has promised: only the coordinator may take that back.
      if let decision = await coordinator.outcome() { decided(decision) }
    }
  }
}
