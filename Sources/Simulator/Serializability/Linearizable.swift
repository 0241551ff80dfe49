/// A type that is judged by a sequential specification: a struct with the same operations, applied one after another.
///
/// Each operation must seem to happen at one instant between its call and its return (Herlihy and Wing:
/// Linearizability: A Correctness Condition for Concurrent Objects, TOPLAS 12, 1990). So an operation that had returned
/// before another began comes before it, which ``Serializable`` does not require. The specification is a value: the
/// type itself never runs one operation after another.
///
/// ```swift
/// @Test(.simulated) func `the account is linearizable`() async {
///   await Linearizable(as: Ledger(balance: 100)) { Account(balance: 100) }
///     .offering("withdraw", among: [30, 70]) { try await $0.withdraw($1) } model: { try $0.withdraw($1) }
///     .offering("balance") { await $0.balance } model: { $0.balance }
///     .check()
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
        // An error leaves the specification unchanged, whatever it had changed by then.
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
  /// The operations that run in every schedule, each in its own task.
  private(set) var operations: [Operation] = []
  /// The operations from which a schedule picks.
  private(set) var offers: [Operation] = []
  private(set) var limits = OfferLimits()

  /// Judges the type that `make` creates for each execution, by a specification that begins as `model`.
  public init(as model: Model, _ make: @escaping @Sendable () async -> Subject) {
    self.make = make
    self.model = model
  }

  /// Adds an operation that runs in every schedule, in its own task.
  ///
  /// - Parameters:
  ///   - name: The name that the report gives it.
  ///   - perform: The operation. An error that it throws is a result like any other, identified by its type and its
  ///     text.
  ///   - model: The result and the changes of the specification. If it throws, the specification stays unchanged.
  public func operation<Result: Hashable & Sendable>(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Result,
    model: @escaping @Sendable (inout Model) throws -> Result
  ) -> Linearizable {
    var other = self
    other.operations.append(.answering(name, perform, model))
    return other
  }

  /// Adds an operation that returns nothing and runs in every schedule, in its own task.
  public func operation(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void,
    model: @escaping @Sendable (inout Model) throws -> Void
  ) -> Linearizable {
    var other = self
    other.operations.append(.answeringNothing(name, perform, model))
    return other
  }

  /// Adds operations from which each schedule picks some, with any of `arguments`, like
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

  /// Adds operations that return nothing, and from which each schedule picks some.
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

  /// Adds an operation that returns nothing, and that each schedule picks any number of times.
  public func offering(
    _ name: String, _ perform: @escaping @Sendable (Subject) async throws -> Void,
    model: @escaping @Sendable (inout Model) throws -> Void
  ) -> Linearizable {
    offering([.answeringNothing(name, perform, model)])
  }

  /// Limits how many of the offered operations a schedule picks, and on how many tasks. The defaults are 4 operations
  /// and 2 tasks.
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
