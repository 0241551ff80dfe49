/// A piece of an app in a fake world, in several variants, ready to be raced.
///
/// The lowering makes one for each execution, lets the scenario's script act on it, and reads what it shows
/// between the steps. Nothing in a variant knows of this: it talks to seams of its own, and the system puts
/// fakes behind them.
///
/// ```swift
/// final class Counter: System {
///   nonisolated static let checks = [SystemCheck(.screenMatchesDisk("screen", "disk"))]
///   nonisolated static let descriptor = SystemDescriptor(
///     "counter", "Counts taps.",
///     variants: [.init("naive", "Saves whenever it likes."), .init("hardened", "Saves in order.")],
///     actions: [.init("tap", "Counts up.", arguments: [.integer("by", "How far.", default: 1)])],
///     fakes: [.init("store", "Where the count is kept.", operations: [.init("write", "Saves the count.")])],
///     invariants: checks.map(\.descriptor))
///
///   private let model: any CounterModel
///   let observed: [Observed]
///
///   init(_ variant: String, in world: World) throws {
///     let store = world.store()
///     model = variant == "naive" ? NaiveCounter(store: store) : HardenedCounter(store: store)
///     observed = [
///       Observed("screen", of: { [model] in model.count }) { .int($0) },
///       Observed("disk", of: { store.held("count", as: Int.self) ?? 0 }) { .int($0) },
///     ]
///   }
///
///   func perform(_ action: UserAction) async throws { await model.tap(action.integer("by") ?? 1) }
/// }
/// ```
@MainActor public protocol System: AnyObject, SendableMetatype {
  /// What a scenario file may say about it. Checking a file reads only this.
  nonisolated static var descriptor: SystemDescriptor { get }

  /// The invariants in its descriptor, with their monitors.
  nonisolated static var checks: [SystemCheck] { get }

  /// The rules that are true of every screen and not of its own; none if it does not say otherwise.
  nonisolated static var exceptions: [SystemScreen.Exception] { get }

  /// The variant `variant`, one of the descriptor's, with the world's fakes behind its seams.
  init(_ variant: String, in world: World) throws

  /// Does what one script line says, in a task of its own; a `cancel` line cancels that task.
  ///
  /// An error is the action's outcome in the trace, no violation. What ends the user's interest is followed
  /// by ``World/dismissed(_:)``.
  func perform(_ action: UserAction) async throws

  /// What its screens, caches and disks hold. Asked once; each is then read after every step.
  var observed: [Observed] { get }
}

extension System {
  public nonisolated static var exceptions: [SystemScreen.Exception] { [] }
}

/// An action that a script line asks a system to perform.
public struct UserAction: Hashable, Sendable {
  /// The action's name in the descriptor.
  public let name: String
  /// Its arguments, the descriptor's defaults filled in.
  public let arguments: NamedValues

  package init(name: String, arguments: NamedValues) {
    (self.name, self.arguments) = (name, arguments)
  }

  /// The text of the argument `name`; nil when the action has no such text.
  public func string(_ name: String) -> String? { arguments.string(name) }

  /// The number of the argument `name`; nil when the action has no such number.
  public func integer(_ name: String) -> Int? { arguments.integer(name) }
}

/// A name that a system's descriptor lists and its code does not know.
public struct UnknownName: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentence.
  public let description: String

  /// `name`, which is no `kind`, as in `variant`.
  public init(_ kind: String, _ name: String) {
    description =
      "the system's descriptor lists the \(kind) \(Echo.quoted(name)), but the system does not know it"
  }
}
