import Dispatch
import Synchronization

// What takes time, and ends at an instant.

extension Run {
  func sleep(_ kind: Program.Kind, _ point: Int) async -> String {
    pacer.step(point) {}
    switch kind {
    case .sleepNotingCancel(let task): return await sleepNotingCancel(of: task, point)
    case .cancelAfter(let units, let task):
      await cancel(task, after: units, point)
      return ""
    case .sleepUntil(let units): return await sleep(until: .now + pacer.unit * units, point) ? "" : "!"
    case .sleepTo(let units):
      return await sleep(until: (beginning ?? .now) + pacer.unit * units, point) ? "" : "!"
    default: return await sleep(kind.units, point) ? "" : "!"
    }
  }

  /// Whether its handler ran, and whether `task` had been cancelled by then.
  private func sleepNotingCancel(of task: Int, _ point: Int) async -> String {
    let seen = Mutex(".")
    _ = await withTaskCancellationHandler {
      await sleep(2, point)
    } onCancel: {
      let isCancelled = handle(task).isCancelled
      seen.withLock { $0 = isCancelled ? "h" : "H" }
    }
    return seen.withLock { $0 }
  }

  private func cancel(_ task: Int, after units: Int, _ point: Int) async {
    if pacer.isUntimed {
      await Aside().pass()
      return pacer.step(point + 1) { handle(task).cancel() }
    }
    let nanoseconds = Int((pacer.unit * units + pacer.lateness(of: point)) / .nanoseconds(1))
    let queue = DispatchQueue(label: "later")
    await withCheckedContinuation { waiting in
      queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
        self.pacer.step(point + 1) { self.handle(task).cancel() }
        waiting.resume()
      }
    }
  }

  /// Whether it slept to the end.
  private func sleep(_ units: Int, _ point: Int) async -> Bool {
    if pacer.isUntimed { return await pass() }
    do {
      try await Task.sleep(for: pacer.unit * units + pacer.lateness(of: point))
      return true
    } catch { return false }
  }

  private func sleep(until deadline: ContinuousClock.Instant, _ point: Int) async -> Bool {
    if pacer.isUntimed { return await pass() }
    do {
      try await ContinuousClock().sleep(until: deadline + pacer.lateness(of: point))
      return true
    } catch { return false }
  }

  private func pass() async -> Bool {
    await Aside().pass()
    return !Task.isCancelled
  }
}
