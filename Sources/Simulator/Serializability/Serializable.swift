/// A type that is judged by its own operations: what they come to side by side they must come to one after another.
///
/// No invariant and no specification is needed. The operations run one after another in every order, which shows all honest
/// outcomes: what each operation answers, and what is observed in the end. Then they run side by side under many schedules.
/// An outcome that no order comes to violates ``serializable``; the report shows the schedule, and the nearest honest order. So
/// *lincheck* tests data structures (Koval, Fedorov, Sokolova, Tsitelov, Alistarh: Lincheck: A Practical Framework for Testing
/// Concurrent Data Structures on JVM, CAV 2023), and QuickCheck its parallel state machines (Claessen et al.: Finding Race
/// Conditions in Erlang with QuickCheck and PULSE, ICFP 2009). An actor that awaits in the middle of a method is where it bites.
///
/// ```swift
/// let report = Serializable { Account(balance: 100) } observing: { await $0.balance }
///   .operation("withdraw 70") { try await $0.withdraw(70) }
///   .operation("withdraw 50") { try await $0.withdraw(50) }
///   .explore()
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
public struct Serializable<Subject: Sendable>: Sendable {
  /// One operation, and who calls it.
  struct Operation: Sendable {
    let name: String
    let client: Int
    let perform: @Sendable (Subject) async -> Answer
  }

  /// How many operations there may be: they have 120 orders.
  public static var mostOperations: Int { 5 }

  let make: @Sendable () async -> Subject
  let observe: @Sendable (Subject) async -> Answer
  private(set) var operations: [Operation] = []
  private(set) var offers: [Offer<Subject>] = []
  private(set) var limits = OfferLimits()

  /// What is made anew for each execution, and what is looked at when all operations have returned.
  public init<Seen: Hashable & Sendable>(
    _ make: @escaping @Sendable () async -> Subject,
    observing seen: @escaping @Sendable (Subject) async -> Seen
  ) {
    self.make = make
    observe = { Answer(await seen($0)) }
  }

  /// Adds an operation that runs beside all others.
  ///
  /// - Parameters:
  ///   - name: What the report calls it.
  ///   - perform: What it does. An error that it throws is an answer like any other, told apart by its type and its words.
  public func operation<Result: Hashable & Sendable>(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Result
  ) -> Serializable {
    adding(name, clients) { subject in Answer(try await perform(subject)) }
  }

  /// Adds an operation that answers nothing and runs beside all others.
  public func operation(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void
  ) -> Serializable {
    adding(name, clients) { subject in
      try await perform(subject)
      return .done
    }
  }

  /// Adds an operation that begins when the one added before it has returned.
  public func then<Result: Hashable & Sendable>(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Result
  ) -> Serializable {
    adding(name, max(0, clients - 1)) { subject in Answer(try await perform(subject)) }
  }

  /// Adds an operation that answers nothing and begins when the one added before it has returned.
  public func then(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void
  ) -> Serializable {
    adding(name, max(0, clients - 1)) { subject in
      try await perform(subject)
      return .done
    }
  }

  /// Adds operations of which each schedule picks some: `perform` with any of `arguments`, any number of times.
  ///
  /// Which run, and on which task, are choices of the schedule, of which the natural one is none. So what is found is shrunk to
  /// the fewest operations. They run beside those that `operation(_:_:)` has added.
  /// - Parameters:
  ///   - name: What the report calls it, with the argument behind it.
  ///   - arguments: What it may be given. A range of numbers, of which `perform` makes what it needs, is one too.
  ///   - perform: The operation, of which what it answers is compared.
  public func offering<Arguments: Collection, Result: Hashable & Sendable>(
    _ name: String, among arguments: Arguments,
    _ perform: @escaping @Sendable (Subject, Arguments.Element) async throws -> Result
  ) -> Serializable where Arguments.Element: Sendable {
    offering(
      arguments.map { given in
        Offer("\(name)(\(given))") { Answer(try await perform($0, given)) }
      })
  }

  /// Adds operations that answer nothing, and of which each schedule picks some.
  public func offering<Arguments: Collection>(
    _ name: String, among arguments: Arguments,
    _ perform: @escaping @Sendable (Subject, Arguments.Element) async throws -> Void
  ) -> Serializable where Arguments.Element: Sendable {
    offering(
      arguments.map { given in
        Offer("\(name)(\(given))") { subject in
          try await perform(subject, given)
          return .done
        }
      })
  }

  /// Adds an operation that each schedule picks any number of times.
  public func offering<Result: Hashable & Sendable>(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Result
  ) -> Serializable {
    offering([Offer(name) { Answer(try await perform($0)) }])
  }

  /// Adds an operation that answers nothing, and that each schedule picks any number of times.
  public func offering(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void
  ) -> Serializable {
    offering([
      Offer(name) { subject in
        try await perform(subject)
        return .done
      }
    ])
  }

  /// A schedule picks at most so many operations of those that are offered, 4 unless said, on at most so many tasks, 2 unless
  /// said.
  public func upTo(operations: Int, tasks: Int) -> Serializable {
    var other = self
    other.limits = OfferLimits(operations: operations, tasks: tasks)
    return other
  }

  private func offering(_ more: [Offer<Subject>]) -> Serializable {
    var other = self
    other.offers += more
    return other
  }

  /// With the operations that the schedule picks of those that are offered.
  func drawn(in simulation: Simulation) -> Serializable {
    var drawn = self
    for own in simulation.draw(of: offers.map(\.name), limits) {
      let client = drawn.clients
      drawn.operations += own.map {
        Operation(name: offers[$0].name, client: client, perform: offers[$0].perform)
      }
    }
    return drawn
  }

  /// How many call at the same time.
  var clients: Int { (operations.last?.client ?? -1) + 1 }

  private func adding(
    _ name: String, _ client: Int, _ perform: @escaping @Sendable (Subject) async throws -> Answer
  ) -> Serializable {
    var more = self
    more.operations.append(
      Operation(name: name, client: client, perform: Offer(name, perform).perform))
    return more
  }
}
