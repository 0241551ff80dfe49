public import Simulator

/// What a system runs against in one execution: the fakes as the scenario describes them, and its settings.
@MainActor public final class World {
  /// The system's settings, the card's defaults filled in.
  public let settings: NamedValues
  private let card: SystemCard
  private let script: WorldScript
  private let simulation: Simulation
  private var networks: [String: FakeNetwork] = [:]
  private var stores: [String: FakeStore] = [:]
  private var tokenServices: [String: FakeTokenService] = [:]

  init(_ script: WorldScript, settings: NamedValues, card: SystemCard, in simulation: Simulation) {
    self.script = script
    self.settings = settings
    self.card = card
    self.simulation = simulation
  }

  /// The network called `name` on the card; the same one each time.
  public func network(_ name: String = "network") -> FakeNetwork {
    if let network = networks[name] { return network }
    let network = FakeNetwork(behaviours(of: name), named: name)
    networks[name] = network
    return network
  }

  /// The store called `name` on the card; the same one each time, holding at first what the first caller says.
  public func store(_ name: String = "store", holding contents: [String: any Sendable] = [:]) -> FakeStore {
    if let store = stores[name] { return store }
    let store = FakeStore(behaviours(of: name), holding: contents, named: name)
    stores[name] = store
    return store
  }

  /// The token service called `name` on the card; the same one each time, with tokens that live as long as the first
  /// caller says.
  public func tokens(_ name: String = "tokens", lifetime: Duration) -> FakeTokenService {
    if let tokens = tokenServices[name] { return tokens }
    let tokens = FakeTokenService(behaviours(of: name), lifetime: lifetime, named: name)
    tokenServices[name] = tokens
    return tokens
  }

  /// The user has left: what still happens in the name of `owner`, from the next step on, comes too late.
  public func dismissed(_ owner: String) {
    simulation.record(.dismissed(owner: owner))
  }

  private func behaviours(of fake: String) -> [String: [Behaviour]] {
    let operations = card.fakes.first { $0.name == fake }?.operations ?? []
    return Dictionary(
      uniqueKeysWithValues: operations.map { operation in
        (operation.name, (script[fake, operation.name] ?? OperationScript()).behaviours(of: operation))
      })
  }
}

extension FakeStore {
  /// What the store holds under `key`, read between steps.
  public nonisolated func held<Content: Sendable>(_ key: String, as type: Content.Type) -> Content? {
    assumeIsolated { $0.value(key, as: type) }
  }

  /// Everything of that type that the store holds, in the order of the keys, read between steps.
  public nonisolated func held<Content: Sendable>(as type: Content.Type) -> [Content] {
    assumeIsolated { $0.values(as: type) }
  }
}
