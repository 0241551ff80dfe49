/// A number on a domain of its own.
actor Cell {
  private(set) var value = 0

  func set(_ value: Int) { self.value = value }
  func add(_ amount: Int) { value += amount }
}

/// Reads, suspends, writes: the update that can be lost.
func increment(_ cell: Cell) async {
  let value = await cell.value
  await cell.set(value + 1)
}
