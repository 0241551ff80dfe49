import Synchronization

// Tasks within tasks.

extension Run {
  func child(_ body: Program.Body, isAwaited: Bool, _ point: Int) async -> String {
    async let child = run(body, Context())
    if isAwaited { return "{\(await child)}" }
    await yield()
    // It is cancelled here.
    pacer.step(point) {}
    return ""
  }

  func run(
    _ start: Program.Start, _ body: Program.Body, isAwaited: Bool, _ point: Int
  ) async -> String {
    let task =
      start == .immediate
      ? await immediate(body, point)
      : pacer.step(point) {
        switch start {
        case .inheriting, .immediate: Task { await self.run(body, Context()) }
        case .detached: Task.detached { await self.run(body, Context()) }
        case .high: Task(priority: .high) { await self.run(body, Context()) }
        case .low: Task(priority: .low) { await self.run(body, Context()) }
        }
      }
    return isAwaited ? "{\(await task.value)}" : ""
  }

  /// Makes a task that comes to points of its own within the step that makes it. Where tasks split, others may come between these,
  /// and the maker waits.
  private func immediate(_ body: Program.Body, _ point: Int) async -> Task<String, Never> {
    pacer.step(point) {}
    guard pacer.splits else { return Task.immediate { await self.run(body, Context()) } }
    let made = Mutex<Task<String, Never>?>(nil)
    await withCheckedContinuation { continuation in
      let context = Context(maker: WaitingMaker(continuation))
      let task = Task.immediate { await self.run(body, context) }
      made.withLock { $0 = task }
    }
    guard let task = made.withLock({ $0 }) else { preconditionFailure("no task was made") }
    return task
  }

  private struct Thrown: Error {}

  func run(
    _ kind: Program.Group, _ bodies: [Program.Body], _ point: Int, _ context: Context
  ) async -> String {
    switch kind {
    case .all, .first, .bodyCancels, .unlessCancelled:
      await withTaskGroup(of: String.self) { group in
        await run(kind, bodies, in: &group, point, context)
      }
    case .throwing:
      await text {
        try await withThrowingTaskGroup(of: String.self) { group in
          for (index, body) in bodies.enumerated() {
            group.addTask {
              let text = await self.run(body, Context())
              if index == 0 { throw Thrown() }
              return text
            }
            await split()
          }
          var text = ""
          for try await part in group { text += part + ";" }
          return text
        }
      }
    case .discarding:
      await withDiscardingTaskGroup { group in
        for body in bodies {
          group.addTask { _ = await self.run(body, Context()) }
          await split()
        }
        return ""
      }
    case .discardingThrowing:
      await text {
        try await withThrowingDiscardingTaskGroup { group in
          for (index, body) in bodies.enumerated() {
            group.addTask {
              _ = await self.run(body, Context())
              if index == 0 { throw Thrown() }
            }
            await split()
          }
          return ""
        }
      }
    }
  }

  private func run(
    _ kind: Program.Group, _ bodies: [Program.Body], in group: inout TaskGroup<String>, _ point: Int,
    _ context: Context
  ) async -> String {
    var text = "<"
    let isFirst = kind == .bodyCancels || kind == .unlessCancelled
    // The group's own body runs the last one, between the making of the others or after it.
    if kind == .unlessCancelled, let last = bodies.last { text += await run(last, context) }
    for body in isFirst ? bodies.dropLast() : bodies[...] {
      let isAdded = pacer.step(point) {
        if kind != .unlessCancelled { group.addTask { await self.run(body, Context()) } }
        return kind != .unlessCancelled || group.addTaskUnlessCancelled { await self.run(body, Context()) }
      }
      if kind == .unlessCancelled { text += isAdded ? "+" : "-" }
      await split()
    }
    if kind == .bodyCancels, let last = bodies.last { text += await run(last, context) }
    if kind == .first { text += await group.next() ?? "" }
    if kind == .first || kind == .bodyCancels {
      await split()
      pacer.step(point + 1) { group.cancelAll() }
    }
    for await part in group { text += part + ";" }
    return text + ">"
  }

  private func text(of body: () async throws -> String) async -> String {
    do { return "<\(try await body())>" } catch { return "<!>" }
  }
}
