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

  /// How many call at the same time.
  var clients: Int { (operations.last?.client ?? -1) + 1 }

  private func adding(
    _ name: String, _ client: Int, _ perform: @escaping @Sendable (Subject) async throws -> Answer
  ) -> Serializable {
    var more = self
    more.operations.append(
      Operation(name: name, client: client) { subject in
        do { return try await perform(subject) } catch { return Answer(error: error) }
      })
    return more
  }
}

/// What an operation has answered, or what was observed.
struct Answer: Hashable, @unchecked Sendable {
  // @unchecked Sendable because what it holds is: each is made from a value that is `Sendable`.
  private let value: AnyHashable
  let text: String

  static let done = Answer(AnyHashable(0), "done")

  init(_ value: some Hashable & Sendable) { self.init(AnyHashable(value), "\(value)") }

  init(error: any Error) {
    let text = "throws \(error)"
    self.init(AnyHashable([text, "\(type(of: error))"]), text)
  }

  private init(_ value: AnyHashable, _ text: String) { (self.value, self.text) = (value, text) }

  static func == (one: Answer, other: Answer) -> Bool { one.value == other.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
