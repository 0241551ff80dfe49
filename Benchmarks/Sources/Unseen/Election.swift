import Simulator
import TwinPrograms

extension TwinProgram {
  /// Three nodes elect a leader: a node that hears of none for a while asks the others for their votes in a new
  /// term.
  static let election = TwinProgram(
    "leader election", "actors, groups, timers",
    bug:
      "A node notes its vote only after it was written to disk: two candidates get it in one term.",
    deviations: 2
  ) { simulation, twin in
    let terms = Terms(simulation)
    let nodes = (0..<3).map { Node($0, terms, simulation, twin) }
    await withDiscardingTaskGroup { group in
      for node in nodes {
        group.addTask { await node.run(with: nodes.filter { $0 !== node }) }
      }
    }
  }
}

/// Who has won which term.
private actor Terms {
  private var leaders: [Int: Int] = [:]
  private let simulation: Simulation

  init(_ simulation: Simulation) { self.simulation = simulation }

  func won(_ term: Int, by node: Int) {
    if let leader = leaders[term], leader != node {
      simulation.fail("one leader a term", "\(leader) and \(node) lead in term \(term)")
    }
    leaders[term] = node
  }
}

private actor Node {
  let number: Int
  private var term = 0
  private var votedFor: Int?
  private var hasLeader = false
  private let terms: Terms
  private let simulation: Simulation
  private let twin: TwinProgram.Twin

  init(_ number: Int, _ terms: Terms, _ simulation: Simulation, _ twin: TwinProgram.Twin) {
    self.number = number
    self.terms = terms
    self.simulation = simulation
    self.twin = twin
  }

  func run(with others: [Node]) async {
    for _ in 0..<3 where !hasLeader {
      let seen = term
      let timeouts = [[150, 180, 210], [240, 165, 225], [270, 195, 255]][number]
      await pause(timeouts)
      // A node that has voted meanwhile gives its candidate time.
      if !hasLeader, term == seen { await campaign(others) }
    }
  }

  private func campaign(_ others: [Node]) async {
    let mine = term + 1
    guard await vote(for: number, in: mine) else { return }
    let votes = await withTaskGroup(of: Bool.self) { group in
      for other in others {
        group.addTask {
          await self.pause([10, 20, 35])
          return await other.vote(for: self.number, in: mine)
        }
      }
      var votes = 1
      for await isGranted in group where isGranted { votes += 1 }
      return votes
    }
    guard votes >= 2, term == mine else { return }
    hasLeader = true
    await terms.won(mine, by: number)
    for other in others { await other.follow(mine) }
  }

  private func vote(for candidate: Int, in asked: Int) async -> Bool {
    guard asked >= term else { return false }
    if asked > term {
      term = asked
      votedFor = nil
      hasLeader = false
    }
    guard votedFor == nil || votedFor == candidate else { return false }
    if twin == .mended { votedFor = candidate }
    try? await Task.sleep(for: .milliseconds(8))
    if twin == .seeded { votedFor = candidate }
    return true
  }

  private func follow(_ won: Int) {
    if won >= term { (term, hasLeader) = (won, true) }
  }

  private nonisolated func pause(_ milliseconds: [Int]) async {
    try? await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: milliseconds)))
  }
}
