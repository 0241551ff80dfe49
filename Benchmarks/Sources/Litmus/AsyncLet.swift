extension LitmusTheme {
  static let asyncLet = LitmusTheme(
    "async let",
    [
      Litmus(
        "async-let-order",
        "Two children each write to a journal.",
        outcomes: ["12", "21"],
        why: "The children start on the pool in any order."
      ) {
        let journal = Journal()
        async let first: Void = journal.note("1")
        async let second: Void = journal.note("2")
        _ = await (first, second)
        return await journal.text
      },
      Litmus(
        "async-let-then-statement",
        "A child and its parent's next statement each write to what no actor owns.",
        outcomes: ["parent child", "child parent"],
        overlapOnly: ["child parent"],
        why: "The child may start at once on another thread, before the parent's next statement."
      ) {
        let board = Board()
        async let child: Void = board.note("child ")
        board.note("parent ")
        await child
        return board.trimmed
      },
      Litmus(
        "async-let-in-an-actor",
        "An actor's child calls the actor; the parent goes on without suspending.",
        outcomes: ["parent child"],
        why: "The child needs the actor, which the parent holds."
      ) {
        await Author().write()
      },
      Litmus(
        "async-let-never-awaited",
        "A child that tells whether it is cancelled; its parent leaves the scope without awaiting it.",
        outcomes: ["cancelled", "free"],
        overlapOnly: ["free"],
        why:
          "At the end of the scope the child is cancelled and awaited; it is free only if it looked before."
      ) {
        let board = Board()
        await leaveAtOnce(board)
        return board.text
      },
      Litmus(
        "async-let-never-awaited-after-a-suspension",
        "The same, but the parent yields before it leaves.",
        outcomes: ["cancelled", "free"],
        why: "The child may run while the parent is suspended, or not."
      ) {
        let board = Board()
        await leaveAfterYield(board)
        return board.text
      },
      Litmus(
        "async-let-lost-update",
        "A child and its parent read an actor's number, then write it back plus one.",
        outcomes: ["1", "2"],
        why: "As with two tasks."
      ) {
        let cell = Cell()
        async let child: Void = increment(cell)
        await increment(cell)
        await child
        return "\(await cell.value)"
      },
    ])
}

private func leaveAtOnce(_ board: Board) async {
  async let _: Void = look(board)
}

private func leaveAfterYield(_ board: Board) async {
  async let _: Void = look(board)
  await Task.yield()
}

private func look(_ board: Board) {
  board.note(Task.isCancelled ? "cancelled" : "free")
}

private func increment(_ cell: Cell) async {
  let seen = await cell.value
  await cell.write(successor(of: seen))
}

private actor Author {
  private var text = ""

  func write() async -> String {
    async let child: Void = note("child")
    text += "parent "
    await child
    return text
  }

  private func note(_ entry: String) { text += entry }
}
