extension LitmusTheme {
  /// The classic programs about memory, with actors for the cells. "x y" are what the reads returned, in the order of
  /// the program.
  static let sharedMemory = LitmusTheme(
    "Actors as memory",
    [
      Litmus(
        "message-passing",
        "One task writes data, then a flag; another reads the flag, then the data.",
        outcomes: ["0 0", "0 1", "1 1"],
        why: "Who sees the flag sees the data: each call has been answered before the next is made."
      ) {
        let (data, flag) = (Cell(), Cell())
        let reader = Task { await read(flag, data) }
        let writer = Task { await write(data, flag) }
        await writer.value
        return await reader.value
      },
      Litmus(
        "message-passing-read-backwards",
        "The same, but the reader reads the data first.",
        outcomes: ["0 0", "0 1", "1 0", "1 1"],
        why: "Both writes may fall between the two reads."
      ) {
        let (data, flag) = (Cell(), Cell())
        let reader = Task { await read(data, flag) }
        let writer = Task { await write(data, flag) }
        await writer.value
        return await reader.value
      },
      Litmus(
        "store-buffering",
        "Two tasks each write their own cell, then read the other's.",
        outcomes: ["0 1", "1 0", "1 1"],
        why:
          "The later write precedes its own task's read, and the earlier write precedes both: one read sees a 1."
      ) {
        let (left, right) = (Cell(), Cell())
        let first = Task { await writeThenRead(left, right) }
        let second = Task { await writeThenRead(right, left) }
        return "\(await first.value) \(await second.value)"
      },
      Litmus(
        "load-buffering",
        "Two tasks each read one cell, then write the other.",
        outcomes: ["0 0", "0 1", "1 0"],
        why: "Both reading a 1 would need each write before the read that precedes it."
      ) {
        let (left, right) = (Cell(), Cell())
        let first = Task { await readThenWrite(left, right) }
        let second = Task { await readThenWrite(right, left) }
        return "\(await first.value) \(await second.value)"
      },
      Litmus(
        "coherence",
        "One task writes 1, then 2; another reads twice.",
        outcomes: ["0 0", "0 1", "0 2", "1 1", "1 2", "2 2"],
        why: "A cell never goes back."
      ) {
        let cell = Cell()
        let reader = Task { await read(cell, cell) }
        let writer = Task {
          await cell.write(1)
          pause()
          await cell.write(2)
        }
        await writer.value
        return await reader.value
      },
      Litmus(
        "independent-reads-of-independent-writes",
        "Two tasks write one cell each; two others read both cells, in opposite order.",
        outcomes: Set(allReads.subtracting(["1 0 | 1 0"])),
        why: "Any mix, except that the two readers cannot see the two writes in opposite orders."
      ) {
        let (left, right) = (Cell(), Cell())
        let readers = [Task { await read(left, right) }, Task { await read(right, left) }]
        let writers = [Task { await left.write(1) }, Task { await right.write(1) }]
        for writer in writers { await writer.value }
        return "\(await readers[0].value) | \(await readers[1].value)"
      },
    ])
}

private let allReads: Set<String> = {
  let pairs = ["0 0", "0 1", "1 0", "1 1"]
  return Set(pairs.flatMap { first in pairs.map { "\(first) | \($0)" } })
}()

private func read(_ first: Cell, _ second: Cell) async -> String {
  let one = await first.value
  pause()
  return "\(one) \(await second.value)"
}

private func write(_ first: Cell, _ second: Cell) async {
  await first.write(1)
  pause()
  await second.write(1)
}

private func writeThenRead(_ own: Cell, _ other: Cell) async -> Int {
  await own.write(1)
  pause()
  return await other.value
}

private func readThenWrite(_ first: Cell, _ second: Cell) async -> Int {
  let seen = await first.value
  pause()
  await second.write(1)
  return seen
}
