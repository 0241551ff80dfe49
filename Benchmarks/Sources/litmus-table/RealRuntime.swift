import Litmus

/// Runs `litmus` on the real runtime and counts its outcomes.
///
/// Runs go in batches, side by side and beside ``Noise``; each begins at a random priority and after a random delay.
/// Where a program keeps a thread waiting, one run follows the other, for the pool may have two threads only.
/// Where timers count there is no noise and a fiftieth of the runs. The caller waits on a continuation, and the batches
/// are made at background priority: awaiting a run raises nothing.
func realOutcomes(of litmus: Litmus, runs: Int) async -> [String: Int] {
  await withCheckedContinuation { continuation in
    Task.detached(priority: .background) {
      let counts = litmus.timed ? await quietly(litmus, max(1, runs / 50)) : await noisily(litmus, runs)
      continuation.resume(returning: counts)
    }
  }
}

private func quietly(_ litmus: Litmus, _ runs: Int) async -> [String: Int] {
  var counts: [String: Int] = [:]
  var left = runs
  while left > 0 {
    let batch = litmus.waits ? 1 : min(left, 100)
    await count(&counts, (0..<batch).map { _ in Task(priority: .medium) { await litmus.program() } })
    left -= batch
  }
  return counts
}

private func noisily(_ litmus: Litmus, _ runs: Int) async -> [String: Int] {
  let noise = Noise()
  var counts: [String: Int] = [:]
  var left = runs
  while left > 0 {
    let batch = litmus.waits ? 1 : min(left, 1 << Int.random(in: 0...10))
    await count(&counts, (0..<batch).map { _ in delayed(litmus) })
    left -= batch
  }
  await noise.stop()
  return counts
}

private func delayed(_ litmus: Litmus) -> Task<String, Never> {
  let priority = [TaskPriority.background, .low, .medium, .high].randomElement()
  let yields = Int.random(in: 0...3)
  let turns = Int.random(in: 0...2_000)
  return Task(priority: priority) {
    for _ in 0..<yields { await Task.yield() }
    spin(turns)
    return await litmus.program()
  }
}

private func count(_ counts: inout [String: Int], _ runs: [Task<String, Never>]) async {
  for run in runs { counts[await run.value, default: 0] += 1 }
}
