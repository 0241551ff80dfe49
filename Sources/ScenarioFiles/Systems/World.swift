public import Simulator

/// The surroundings of a system in one execution: the fakes as the scenario describes them, and its settings.
@MainActor public final class World {
  /// The system's settings, the descriptor's defaults filled in.
  public let settings: NamedValues
  /// What its remote fakes are reached over.
  package let connection: FakeConnection
  private let behaviors: [String: [String: [FakeBehavior]]]
  private let simulation: Simulation
  private var made: [String: any CallRecording] = [:]

  /// `behaviors` says for each fake what each of its operations is like, call after call.
  package init(
    settings: NamedValues, in simulation: Simulation,
    behaviors: [String: [String: [FakeBehavior]]], connection: FakeConnection = .up
  ) {
    self.connection = connection
    self.settings = settings
    self.simulation = simulation
    self.behaviors = behaviors
  }

  /// The network called `name` in the descriptor; the same one each time. A cancelled request throws what the first
  /// caller says: `URLError(.cancelled)` where the network stands for a `URLSession`.
  public func network(
    _ name: String = "network", cancellation: any Error = CancellationError()
  ) -> FakeNetwork {
    fake(name) { FakeNetwork($0, cancellation: cancellation, named: name) }
  }

  /// The store called `name` in the descriptor; the same one each time, holding at first what the first
  /// caller says.
  public func store(_ name: String = "store", holding contents: [String: any Sendable] = [:]) -> FakeStore {
    fake(name) { FakeStore($0, holding: contents, named: name) }
  }

  /// The callback queue called `name` in the descriptor; the same one each time, of the kind that the first
  /// caller says.
  public func callbackQueue(
    _ name: String = "callbacks", _ kind: FakeCallbackQueue.Kind = .serial,
    afterCancel: FakeCallbackQueue.AfterCancel = .callsBack
  ) -> FakeCallbackQueue {
    fake(name) { FakeCallbackQueue($0, kind: kind, afterCancel: afterCancel, named: name) }
  }

  /// The keyboard called `name` in the descriptor, whose pauses are the delays of its operation `key`.
  public func keyboard(_ name: String = "keyboard") -> FakeKeyboard {
    fake(name) { FakeKeyboard($0["key"] ?? [FakeBehavior()], named: name) }
  }

  /// The decoder called `name` in the descriptor; the same one each time.
  public func decoder(_ name: String = "decoder") -> FakeDecoder {
    fake(name) { FakeDecoder($0, named: name) }
  }

  /// The token service called `name` in the descriptor; the same one each time, with tokens that live as long
  /// as the first caller says.
  public func tokens(_ name: String = "tokens", lifetime: Duration) -> FakeTokenService {
    fake(name) { FakeTokenService($0, lifetime: lifetime, named: name) }
  }

  /// A fake of your own, called `name` in the descriptor; the same one each time.
  ///
  /// ```swift
  /// let mailer = world.fake("mailer") { FakeMailer($0, named: "mailer") }
  /// ```
  ///
  /// - Parameters:
  ///   - name: What the descriptor, the scenario file and traces call the fake.
  ///   - make: Makes the fake, once an execution, of the behaviors that the scenario gives to each of its
  ///     operations: what a `CallRecorder` takes.
  /// - Precondition: The fake's own name is `name`, and it was not asked for as another type before.
  public func fake<Fake: CallRecording>(
    _ name: String, _ make: ([String: [FakeBehavior]]) -> Fake
  ) -> Fake {
    if let fake = made[name] {
      guard let fake = fake as? Fake else {
        // A mistake in the code of the system, which no input of a user reaches.
        fatalError("the fake \(name) is a \(type(of: fake)), and is asked for as a \(Fake.self)")
      }
      return fake
    }
    let fake = make(behaviors[name] ?? [:])
    guard fake.name == name else {
      // A mistake in the code of the system, which no input of a user reaches.
      fatalError(
        "the fake \(name) calls itself \(fake.name): make it with the name that the descriptor has for it")
    }
    made[name] = fake
    return fake
  }

  /// The user has left: what still happens in the name of `owner`, from the next step on, comes too late.
  public func dismissed(_ owner: String) {
    simulation.record(.dismissed(owner: owner))
  }

  /// The user is back, on what was ``dismissed(_:)`` before.
  public func appeared(_ owner: String) {
    simulation.record(.appeared(owner: owner))
  }

  /// The fakes that have been asked for.
  package var fakes: [any CallRecording] { Array(made.values) }
}

extension FakeStore {
  /// Returns the value that the store holds under `key`, read between steps.
  public nonisolated func held<Content: Sendable>(_ key: String, as type: Content.Type) -> Content? {
    assumeIsolated { $0.value(key, as: type) }
  }

  /// Everything of that type that the store holds, in the order of the keys, read between steps.
  public nonisolated func held<Content: Sendable>(as type: Content.Type) -> [Content] {
    assumeIsolated { $0.values(as: type) }
  }
}
