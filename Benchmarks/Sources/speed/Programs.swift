actor Register {
  private var value = 0

  func read() -> Int { value }

  func write(_ value: Int) { self.value = value }
}

/// Two tasks read a register, leave it, and write it back plus one.
@Sendable func lostUpdate() async {
  let register = Register()
  async let first: Void = increment(register)
  async let second: Void = increment(register)
  _ = await (first, second)
}

/// The same with more tasks.
@Sendable func lostUpdate(of tasks: Int) async {
  let register = Register()
  await withDiscardingTaskGroup { group in
    for _ in 0..<tasks { group.addTask { await increment(register) } }
  }
}

@concurrent private func increment(_ register: Register) async {
  let value = await register.read()
  await register.write(value + 1)
}

/// Tasks that do nothing but yield.
@Sendable func yielders(tasks: Int, yields: Int) async {
  await withDiscardingTaskGroup { group in
    for _ in 0..<tasks {
      group.addTask { for _ in 0..<yields { await Task.yield() } }
    }
  }
}

/// Tasks that do nothing but sleep for a second, over and over.
@Sendable func tickers(tasks: Int, ticks: Int) async {
  await withDiscardingTaskGroup { group in
    for _ in 0..<tasks {
      group.addTask { for _ in 0..<ticks { try? await Task.sleep(for: .seconds(1)) } }
    }
  }
}
