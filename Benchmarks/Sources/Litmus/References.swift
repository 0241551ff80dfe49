import Synchronization

extension LitmusTheme {
  static let references = LitmusTheme(
    "References that do not keep an object",
    [
      result("result-of-a-task", "Its only owner is the task that has ended.") {
        weak var found: Item?
        do {
          let item = await Task.detached { Item() }.value
          found = item
        }
        return found == nil ? "gone" : "alive"
      },
      result("result-within-a-list", "It is in a list, and that in a structure.") {
        weak var found: Item?
        do {
          let reply = await Task.detached { Reply(items: [Item()]) }.value
          found = reply.items.first
        }
        return found == nil ? "gone" : "alive"
      },
      result("result-of-a-child", "It is that of a child of a group.") {
        await withTaskGroup(of: Item.self) { group in
          group.addTask { Item() }
          weak var found: Item?
          if let item = await group.next() { found = item }
          return found == nil ? "gone" : "alive"
        }
      },
      result("error-of-a-task", "It is in an error that a task has thrown.") {
        weak var found: Item?
        do {
          try await Task.detached { throw Failure(item: Item()) }.value
        } catch {
          found = (error as? Failure)?.item
        }
        return found == nil ? "gone" : "alive"
      },
      result("result-of-a-main-task", "It is that of a task on the main actor, and awaited on the pool.") {
        weak var found: Item?
        do {
          let item = await mainTask().value
          found = item
        }
        return found == nil ? "gone" : "alive"
      },
      Litmus(
        "result-between-main-tasks",
        "An object is looked at by a weak reference on the main actor. It is the result of a task there.",
        outcomes: ["gone"],
        why: "The main thread releases the task before it goes on."
      ) {
        await Task { @MainActor in
          weak var found: Item?
          do {
            let item = await mainTask().value
            found = item
          }
          return found == nil ? "gone" : "alive"
        }.value
      },
      Litmus(
        "result-of-an-immediate-task",
        "An object is looked at by a weak reference. It is the result of an immediate task that does not suspend.",
        outcomes: ["gone"],
        why: "The task ends and is released before the one that makes it goes on, on the same thread."
      ) {
        weak var found: Item?
        do {
          let item = await Task.immediate { Item() }.value
          found = item
        }
        return found == nil ? "gone" : "alive"
      },
      Litmus(
        "captured-by-a-task",
        "A weak reference to an object that a task has captured is read after the task has ended.",
        outcomes: ["gone"],
        why: "A task releases what it has captured before it wakes those that wait for it."
      ) {
        weak var found: Item?
        let task: Task<Int, Never>
        do {
          let item = Item()
          found = item
          task = Task.detached { item.number }
        }
        _ = await task.value
        return found == nil ? "gone" : "alive"
      },
      Litmus(
        "kept-by-async-let",
        "A weak reference to the value of an async let is read before its scope ends.",
        outcomes: ["alive"],
        why: "The scope keeps the value."
      ) {
        weak var found: Item?
        async let item = Item()
        found = await item
        return found == nil ? "gone" : "alive"
      },
      Litmus(
        "dropped-by-an-actor",
        "An actor drops an object while another one looks at it by a weak reference.",
        outcomes: ["gone", "alive"],
        why: "Nothing orders the two."
      ) {
        let watcher = Watcher()
        let owner: Owner
        do {
          let item = Item()
          owner = Owner(item)
          await watcher.watch(item)
        }
        async let dropped: Void = owner.drop()
        let sees = await watcher.sees()
        await dropped
        return sees ? "alive" : "gone"
      },
      Litmus(
        "end-of-a-result",
        "Who waited for a task notes that, and the deinitializer of its result notes its own.",
        outcomes: ["gone next", "next gone"],
        why: "The thread of the task may be the last one to release the result."
      ) {
        let board = Board()
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        do {
          _ = await Task.detached {
            Noted {
              board.note("gone ")
              continuation.finish()
            }
          }.value
        }
        board.note("next ")
        for await _ in stream {}
        return board.trimmed
      },
    ])

  private static func result(
    _ name: String, _ about: String, program: @escaping Litmus.Program
  ) -> Litmus {
    Litmus(
      name, "An object is looked at by a weak reference. " + about, outcomes: ["gone", "alive"],
      why: "The thread of a task releases it after it has woken those that wait for it.",
      program: program)
  }
}

private func mainTask() -> Task<Item, Never> {
  Task { @MainActor in
    await Task.yield()
    return Item()
  }
}

private final class Item: Sendable {
  let number = 1
}

private struct Reply: Sendable {
  let items: [Item]
}

private struct Failure: Error {
  let item: Item
}

private final class Noted: Sendable {
  private let ends: @Sendable () -> Void
  init(_ ends: @escaping @Sendable () -> Void) { self.ends = ends }
  deinit { ends() }
}

private actor Owner {
  private var item: Item?
  init(_ item: Item) { self.item = item }
  func drop() { item = nil }
}

private actor Watcher {
  private weak var item: Item?
  func watch(_ item: Item) { self.item = item }
  func sees() -> Bool { item != nil }
}
