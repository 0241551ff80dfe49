/// One seat, which is looked for, paid for, and then taken.
actor Seats {
  private(set) var free = 1

  func take() async -> Bool {
    guard free > 0 else { return false }
    await Task.yield()
    free -= 1
    precondition(free >= 0, "a seat is taken twice")
    return true
  }
}
