/// A view as a UI framework runs it: it appears, has a task for as long as it is there, and goes away.
///
/// ```swift
/// let view = FakeView(id: "s", named: "results") { query in await model.search(query) }
/// view.appear()             // the task begins
/// view.update(id: "sw")     // it is cancelled, and another one begins
/// view.disappear()          // that one is cancelled
/// ```
///
/// The view does not wait for a task that it has cancelled: the task may still be under way when the next one
/// begins, and when the view has disappeared. The trace shows when the view appears and disappears, as
/// ``Trace/Event/Kind/appeared(owner:)`` and ``Trace/Event/Kind/dismissed(owner:)`` in its name. The view works outside a
/// simulation too.
@MainActor public final class FakeView<ID: Equatable & Sendable> {
  /// What traces call it.
  public nonisolated let name: String
  /// What the view's task is for.
  public private(set) var id: ID
  /// Whether the view is there.
  public private(set) var isVisible = false
  private let onAppear: @MainActor () -> Void
  private let onDisappear: @MainActor () -> Void
  private let work: @MainActor (ID) async -> Void
  private var task: Task<Void, Never>?

  /// A view that is not there yet.
  ///
  /// - Parameters:
  ///   - id: What its task is for.
  ///   - name: What traces call it, and in whose name it appears and is dismissed.
  ///   - onAppear: Comes before its task begins.
  ///   - onDisappear: Comes before its task is cancelled.
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

  /// The user comes to the view, or comes back: its task begins. Nothing happens when the view is there
  /// already.
  public func appear() {
    guard !isVisible else { return }
    isVisible = true
    Simulation.current?.record(.appeared(owner: name))
    onAppear()
    begin()
  }

  /// The user leaves the view: its task is cancelled. Nothing happens when the view is not there.
  public func disappear() {
    guard isVisible else { return }
    isVisible = false
    onDisappear()
    task?.cancel()
    task = nil
    Simulation.current?.record(.dismissed(owner: name))
  }

  /// The view's task is for something else now: while the view is there, the task is cancelled and another
  /// one begins.
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
