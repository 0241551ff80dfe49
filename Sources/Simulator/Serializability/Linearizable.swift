/// A type that is judged by a sequential specification: a struct with the same operations, one after another.
///
/// Each operation must seem to happen at one instant between its call and its return (Herlihy and Wing: Linearizability: A
/// Correctness Condition for Concurrent Objects, TOPLAS 12, 1990). So what had returned before another began stands before it,
/// which ``Serializable`` does not ask for. The specification is a value: nothing of the type itself is run one after another.
///
/// ```swift
/// @Test(.simulated) func `the account is linearizable`() async {
///   await Linearizable(as: Ledger(balance: 100)) { Account(balance: 100) }
///     .offering("withdraw", among: [30, 70]) { try await $0.withdraw($1) } model: { try $0.withdraw($1) }
///     .offering("balance") { await $0.balance } model: { $0.balance }
///     .judge()
/// }
/// ```
public struct Linearizable<Subject: Sendable, Model: Hashable & Sendable>: Sendable {
  struct Operation: Sendable {
    let offer: Offer<Subject>
    let apply: @Sendable (inout Model) -> Answer

    init(
      _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Answer,
      _ apply: @escaping @Sendable (inout Model) throws -> Answer
    ) {
      offer = Offer(name, perform)
      self.apply = { model in
        // An error leaves the specification as it was, whatever it had changed by then.
        var changed = model
        do {
          let answer = try apply(&changed)
          model = changed
          return answer
        } catch {
          return Answer(error: error)
        }
      }
    }
  }

  let make: @Sendable () async -> Subject
  let model: Model
  /// What runs in every schedule, each in a task of its own.
  private(set) var operations: [Operation] = []
  /// What a schedule picks.
  private(set) var offers: [Operation] = []
  private(set) var limits = OfferLimits()

  /// What is made anew for each execution, and the specification that it begins as.
  public init(as model: Model, _ make: @escaping @Sendable () async -> Subject) {
    self.make = make
    self.model = model
  }

  /// Adds an operation that runs in every schedule, in a task of its own.
  ///
  /// - Parameters:
  ///   - name: What the report calls it.
  ///   - perform: What it does. An error that it throws is an answer like any other, told apart by its type and its words.
  ///   - model: What the specification answers and becomes. Where it throws, it stays what it was.
  public func operation<Result: Hashable & Sendable>(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Result,
    model: @escaping @Sendable (inout Model) throws -> Result
  ) -> Linearizable {
    var other = self
    other.operations.append(.answering(name, perform, model))
    return other
  }

  /// Adds an operation that answers nothing and runs in every schedule, in a task of its own.
  public func operation(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void,
    model: @escaping @Sendable (inout Model) throws -> Void
  ) -> Linearizable {
    var other = self
    other.operations.append(.answeringNothing(name, perform, model))
    return other
  }

  /// Adds operations of which each schedule picks some, with any of `arguments`: as
  /// `Serializable.offering(_:among:_:)`.
  public func offering<Arguments: Collection, Result: Hashable & Sendable>(
    _ name: String, among arguments: Arguments,
    _ perform: @escaping @Sendable (Subject, Arguments.Element) async throws -> Result,
    model: @escaping @Sendable (inout Model, Arguments.Element) throws -> Result
  ) -> Linearizable where Arguments.Element: Sendable {
    offering(
      arguments.map { given in
        .answering("\(name)(\(given))", { try await perform($0, given) }, { try model(&$0, given) })
      })
  }

  /// Adds operations that answer nothing, and of which each schedule picks some.
  public func offering<Arguments: Collection>(
    _ name: String, among arguments: Arguments,
    _ perform: @escaping @Sendable (Subject, Arguments.Element) async throws -> Void,
    model: @escaping @Sendable (inout Model, Arguments.Element) throws -> Void
  ) -> Linearizable where Arguments.Element: Sendable {
    offering(
      arguments.map { given in
        .answeringNothing("\(name)(\(given))", { try await perform($0, given) }, { try model(&$0, given) })
      })
  }

  /// Adds an operation that each schedule picks any number of times.
  public func offering<Result: Hashable & Sendable>(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Result,
    model: @escaping @Sendable (inout Model) throws -> Result
  ) -> Linearizable {
    offering([.answering(name, perform, model)])
  }

  /// Adds an operation that answers nothing, and that each schedule picks any number of times.
  public func offering(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void,
    model: @escaping @Sendable (inout Model) throws -> Void
  ) -> Linearizable {
    offering([.answeringNothing(name, perform, model)])
  }

  /// A schedule picks at most so many operations of those that are offered, 4 unless said, on at most so many tasks, 2 unless
  /// said.
  public func upTo(operations: Int, tasks: Int) -> Linearizable {
    var other = self
    other.limits = OfferLimits(operations: operations, tasks: tasks)
    return other
  }

  private func offering(_ more: [Operation]) -> Linearizable {
    var other = self
    other.offers += more
    return other
  }
}

extension Linearizable.Operation {
  fileprivate static func answering<Result: Hashable & Sendable>(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Result,
    _ apply: @escaping @Sendable (inout Model) throws -> Result
  ) -> Self {
    Self(name, { Answer(try await perform($0)) }, { Answer(try apply(&$0)) })
  }

  fileprivate static func answeringNothing(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void,
    _ apply: @escaping @Sendable (inout Model) throws -> Void
  ) -> Self {
    Self(name) { subject in
      try await perform(subject)
      return .done
    } _: { model in
      try apply(&model)
      return .done
    }
  }
}
