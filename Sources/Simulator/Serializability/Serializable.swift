internal import SimulatorKernel

/// A type that is judged by its own operations: their outcome side by side must also be one that they have one after
/// another.
///
/// It needs no invariant and no specification. The operations run one after another in every order, which shows all
/// sequential outcomes: what each operation returns, and what is observed in the end. Then they run side by side under many
/// schedules. An outcome that no order has violates ``serializable``; the report shows the schedule, and the nearest
/// sequential order. This is how *lincheck* tests data structures (Koval, Fedorov, Sokolova, Tsitelov, Alistarh: Lincheck:
/// A Practical Framework for Testing Concurrent Data Structures on JVM, CAV 2023), and how QuickCheck tests its
/// parallel state machines (Claessen et al.: Finding Race Conditions in Erlang with QuickCheck and PULSE, ICFP 2009).
/// It is most effective for an actor that awaits in the middle of a method.
///
/// ```swift
/// let report = Serializable { Account(balance: 100) } observing: { await $0.balance }
///   .operation("withdraw 70") { try await $0.withdraw(70) }
///   .operation("withdraw 50") { try await $0.withdraw(50) }
///   .explore()
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
public struct Serializable<Subject: Sendable>: Sendable {
  /// One operation, and the client that calls it.
  struct Operation: Sendable {
    let name: String
    let client: Int
    let perform: @Sendable (Subject) async -> Answer
  }

  /// The greatest number of operations: five have 120 orders.
  public static var maximumOperations: Int { 5 }

  let make: @Sendable () async -> Subject
  let observe: @Sendable (Subject) async -> Answer
  private(set) var operations: [Operation] = []
  private(set) var offers: [Offer<Subject>] = []
  private(set) var limits = OfferLimits()

  /// Judges the type that `make` creates for each execution, and observes `seen` when all operations have returned.
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
  ///   - name: The name that the report gives it.
  ///   - perform: The operation. An error that it throws is a result like any other, identified by its type and its
  ///     text.
  public func operation<Result: Hashable & Sendable>(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Result
  ) -> Serializable {
    adding(name, clients) { subject in Answer(try await perform(subject)) }
  }

  /// Adds an operation that returns nothing and runs beside all others.
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

  /// Adds an operation that returns nothing and begins when the one added before it has returned.
  public func then(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void
  ) -> Serializable {
    adding(name, max(0, clients - 1)) { subject in
      try await perform(subject)
      return .done
    }
  }

  /// Adds operations from which each schedule picks some: `perform` with any of `arguments`, any number of times.
  ///
  /// The schedule chooses which of them run, and on which task; the natural one runs none. So a violation is shrunk to
  /// the fewest operations. They run beside those that `operation(_:_:)` has added.
  /// - Parameters:
  ///   - name: The name that the report gives it, followed by the argument.
  ///   - arguments: The possible arguments. A range of numbers works too, if `perform` makes what it needs of a number.
  ///   - perform: The operation, whose result is compared.
  public func offering<Arguments: Collection, Result: Hashable & Sendable>(
    _ name: String, among arguments: Arguments,
    _ perform: @escaping @Sendable (Subject, Arguments.Element) async throws -> Result
  ) -> Serializable where Arguments.Element: Sendable {
    offering(
      arguments.map { given in
        Offer("\(name)(\(given))") { Answer(try await perform($0, given)) }
      })
  }

  /// Adds operations that return nothing, and from which each schedule picks some.
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

  /// Adds an operation that returns nothing, and that each schedule picks any number of times.
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

  /// Limits how many of the offered operations a schedule picks, and on how many tasks. The defaults are 4 operations
  /// and 2 tasks.
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

  /// Returns a copy with the offered operations that the schedule picks.
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

  /// The number of clients that call at the same time.
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
