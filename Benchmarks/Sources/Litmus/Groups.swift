extension LitmusTheme {
  static let groups = LitmusTheme(
    "Task groups",
    [
      Litmus(
        "group-completion-order",
        "Three children; the parent takes their results as they come.",
        outcomes: ["123", "132", "213", "231", "312", "321"],
        why: "Results come in the order of completion, which is any."
      ) {
        await withTaskGroup { group in
          for child in ["1", "2", "3"] { group.addTask { child } }
          return await group.reduce("", +)
        }
      },
      Litmus(
        "group-cancelled-after-adding",
        "A parent adds two children and cancels the group in the same step; each child tells what it finds.",
        outcomes: ["cancelled cancelled", "cancelled free", "free cancelled", "free free"],
        overlapOnly: ["cancelled free", "free cancelled", "free free"],
        why: "In whole steps no child has started; for real each may have looked before the cancel."
      ) {
        await withTaskGroup { group in
          let board = [Board(), Board()]
          for slot in board { group.addTask { slot.note(Task.isCancelled ? "cancelled" : "free") } }
          group.cancelAll()
          await group.waitForAll()
          return "\(board[0].text) \(board[1].text)"
        }
      },
      Litmus(
        "group-cancelled-before-adding",
        "A parent cancels its group, then adds a child, and another unless cancelled.",
        outcomes: ["cancelled, not added"],
        why: "A child added to a cancelled group is born cancelled; addTaskUnlessCancelled adds none."
      ) {
        await withTaskGroup(of: String.self) { group in
          group.cancelAll()
          group.addTask { Task.isCancelled ? "cancelled" : "free" }
          let added = group.addTaskUnlessCancelled { "extra" }
          return await group.reduce("", +) + (added ? ", added" : ", not added")
        }
      },
      Litmus(
        "group-first-result-wins",
        "A parent takes the first result of two children and cancels; the second tells what it finds.",
        outcomes: ["free cancelled", "free free"],
        why: "The second may have looked before or after the parent's cancel; the first always before."
      ) {
        await withTaskGroup { group in
          for _ in 1...2 { group.addTask { Task.isCancelled ? "cancelled" : "free" } }
          let first = await group.next() ?? "none"
          group.cancelAll()
          return "\(first) \(await group.next() ?? "none")"
        }
      },
      Litmus(
        "group-error-cancels-the-rest",
        "One child throws, so the group ends with its error; the sibling tells what it finds.",
        outcomes: ["cancelled", "free"],
        why: "The sibling may have looked before the error reached the parent."
      ) {
        let board = Board()
        try? await withThrowingTaskGroup { group in
          group.addTask { throw CancellationError() }
          group.addTask { board.note(Task.isCancelled ? "cancelled" : "free") }
          try await group.next()
          try await group.next()
        }
        return board.text
      },
      Litmus(
        "group-waits-at-its-end",
        "A parent leaves the body of its group without awaiting its children.",
        outcomes: ["2"],
        why: "A group ends when its children have."
      ) {
        let cell = Cell()
        await withTaskGroup { group in
          for _ in 1...2 { group.addTask { await cell.add(1) } }
        }
        return "\(await cell.value)"
      },
      Litmus(
        "discarding-group",
        "A discarding group of three children that each add one.",
        outcomes: ["3"],
        why: "It too ends when its children have."
      ) {
        let cell = Cell()
        await withDiscardingTaskGroup { group in
          for _ in 1...3 { group.addTask { await cell.add(1) } }
        }
        return "\(await cell.value)"
      },
      Litmus(
        "group-of-an-actor",
        "An actor adds a child that calls the actor, then reads its number before it awaits the child.",
        outcomes: ["0 then 1"],
        why: "The child needs the actor, which the parent holds."
      ) {
        await Parent().group()
      },
      Litmus(
        "group-lost-update",
        "Two children read an actor's number, then write it back plus one.",
        outcomes: ["1", "2"],
        why: "As with two tasks."
      ) {
        let cell = Cell()
        await withTaskGroup { group in
          for _ in 1...2 {
            group.addTask {
              let seen = await cell.value
              await cell.write(successor(of: seen))
            }
          }
        }
        return "\(await cell.value)"
      },
    ])
}

private actor Parent {
  private var value = 0

  func group() async -> String {
    await withTaskGroup { group in
      group.addTask { await self.add() }
      let before = value
      await group.waitForAll()
      return "\(before) then \(value)"
    }
  }

  private func add() { value += 1 }
}
