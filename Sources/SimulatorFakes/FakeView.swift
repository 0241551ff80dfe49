internal import SimulatorCore
internal import SimulatorKernel

/// A view as a UI framework runs it: it appears, has a task while it is visible, and disappears.
///
/// ```swift
/// let view = FakeView(id: "s", named: "results", task: { query in await model.search(query) })
/// view.appear()             // the task begins
/// view.update(id: "sw")     // it is cancelled, and another one begins
/// view.disappear()          // that one is cancelled
/// ```
///
/// The view does not wait for a task that it has cancelled. That task may still be running when the next one begins,
/// and when the view has disappeared. The trace shows when the view appears and disappears, as
/// ``Trace/Event/Kind/appeared(owner:)`` and ``Trace/Event/Kind/dismissed(owner:)`` with its name. The view works
/// outside a simulation too.
@MainActor public final class FakeView<ID: Equatable & Sendable> {
  /// Its name in traces.
  public nonisolated let name: String
  /// The value that the view's task works on.
  public private(set) var id: ID
  /// True if the view is visible.
  public private(set) var isVisible = false
  private let onAppear: @MainActor () -> Void
  private let onDisappear: @MainActor () -> Void
  private let work: @MainActor (ID) async -> Void
  private var task: Task<Void, Never>?

  /// Makes a view that is not visible yet.
  ///
  /// - Parameters:
  ///   - id: The value that its task works on.
  ///   - name: Its name in traces, and the owner in the events of its appearing and its dismissal.
  ///   - onAppear: Runs before its task begins.
  ///   - onDisappear: Runs before its task is cancelled.
  ///   - task: Its task.
  public init(
    id: ID, named name: String = "view", onAppear: @escaping @MainActor () -> Void = {},
    onDisappear: @escaping @MainActor () -> Void = {},
    task: @escaping @MainActor (ID) async -> Void = { _ in }
  ) {
    self.name = name
    self.id = id
    self.onAppear = onAppear
    self.onDisappear = onDisappear
    work = task
  }

  /// Shows the view to the user, for the first time or again: its task begins. It has no effect if the view is visible
  /// already.
  public func appear() {
    guard !isVisible else { return }
    isVisible = true
    Simulation.current?.record(.appeared(owner: name))
    onAppear()
    begin()
  }

  /// Makes the user leave the view: its task is cancelled. It has no effect if the view is not visible.
  public func disappear() {
    guard isVisible else { return }
    isVisible = false
    onDisappear()
    task?.cancel()
    task = nil
    Simulation.current?.record(.dismissed(owner: name))
  }

  /// Gives the view's task another value. If the view is visible, the task is cancelled and another one begins.
  public func update(id: ID) {
    guard id != self.id else { return }
    self.id = id
    guard isVisible else { return }
    task?.cancel()
    begin()
  }

  private func begin() {
    task = Task(name: "\(name)'s task") { [work, id] in await work(id) }
  }
}
