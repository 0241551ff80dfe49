extension Program: CustomStringConvertible {
  /// The program as short Swift-like source.
  var description: String {
    let lines = tasks.indices.map { index in
      let maker = carriers.isEmpty ? "Task" : "\(carriers[index])"
      return
        "  let t\(index) = \(maker)\(priorities[index].map { "(\($0))" } ?? "") { \(tasks[index].source) }"
    }
    let closing =
      closing.isEmpty ? "" : "\n  await t0.value; " + closing.map(\.kind.source).joined(separator: "; ")
    let locks = locks.map(\.rawValue).joined(separator: ", ")
    let heading = locks.isEmpty ? "" : "  let (one, two) = (\(locks))\n"
    return heading + lines.joined(separator: "\n") + closing
  }
}

extension Program.Body {
  fileprivate var source: String { operations.map(\.kind.source).joined(separator: "; ") }
}

extension Program.Kind {
  private func cell(_ index: Int) -> String { index == 0 ? "a" : "b" }
  private func lock(_ index: Int) -> String { index == 0 ? "one" : "two" }
  private func word(_ index: Int) -> String { index == 0 ? "x" : "y" }
  private func stream(_ index: Int) -> String { index == 0 ? "stream" : "newest" }

  private func source(_ section: Program.Section) -> String {
    switch section {
    case .read: "log(number)"
    case .set(let value): "number = \(value)"
    case .add: "number += 1"
    case .load(let index): "log(\(word(index)).load())"
    }
  }

  fileprivate var source: String {
    switch self {
    case .read(let index): "log(await \(cell(index)).value)"
    case .set(let index, let value): "await \(cell(index)).set(\(value))"
    case .add(let index): "await \(cell(index)).add(1)"
    case .increment(let index): "await \(cell(index)).set(await \(cell(index)).value + 1)"
    case .relay: "log(await a.relay(b))"
    case .count: "log(await main.count())"
    case .startOnCell(let word): "await a.start { Task { started += \(word) }; started += . }"
    case .startOnMain(let word): "Task { @MainActor in started += \(word) }"
    case .yield: "await Task.yield()"
    case .sleep(let units): "try await sleep(\(units))"
    case .sleepUntil(let units): "try await sleep(until: now + \(units))"
    case .sleepTo(let instant): "try await sleep(until: start + \(instant))"
    case .cancelAfter(let units, let task):
      "await done { queue.asyncAfter(now + \(units)) { t\(task).cancel() } }"
    case .sleepNotingCancel(let task):
      "await withTaskCancellationHandler { sleep(2) } onCancel: { log(t\(task).isCancelled) }"
    case .cancel(let task): "t\(task).cancel()"
    case .value(let task): "log(await t\(task).value)"
    case .isCancelled: "log(Task.isCancelled)"
    case .isOtherCancelled(let task): "log(t\(task).isCancelled)"
    case .cancelItself: "withUnsafeCurrentTask { $0?.cancel() }"
    case .send(let index, let value): "log(\(stream(index)).yield(\(value)))"
    case .finish(let index): "\(stream(index)).finish()"
    case .next(let index): "log(await \(stream(index)).next())"
    case .open: "await gate.open()"
    case .wait: "log(await gate.wait())"
    case .note(let word): "board.note(\(word))"
    case .look: "log(board.text)"
    case .section(let index, let section): "\(lock(index)).withLock { \(source(section)) }"
    case .twoSections(let index):
      "let seen = \(lock(index)).withLock { number }; \(lock(index)).withLock { number = seen + 1 }"
    case .nested: "one.withLock { number += 1; two.withLock { number += one's; log(number) } }"
    case .tries(let index, let section):
      "if \(lock(index)).try() { \(source(section)); \(lock(index)).unlock() } else { log(busy) }"
    case .signal: "condition.withLock { isSet = true; condition.broadcast() }"
    case .awaitSignal: "condition.withLock { while !isSet { condition.wait() } }; log(set)"
    case .load(let index): "log(\(word(index)).load())"
    case .store(let index, let value): "\(word(index)).store(\(value))"
    case .exchange(let index, let value): "log(\(word(index)).exchange(\(value)))"
    case .compareExchange(let index, let expected, let value):
      "log(\(word(index)).compareExchange(\(expected), \(value)))"
    case .increase(let index): "log(\(word(index)).add(1))"
    case .hand(let place, let body): "\(place).async { \(body.source) }"
    case .barrier(let body): "concurrent.async(flags: .barrier) { \(body.source) }"
    case .sync(let place, let body): "\(place).sync { \(body.source) }"
    case .awaited(let place, let body): "\(place).async(group: g) { \(body.source) }; g.wait()"
    case .post: "semaphore.signal()"
    case .pend: "semaphore.wait()"
    case .pendOnCell: "await b.run { semaphore.wait() }"
    case .ordered(let place, let bodies):
      "\(place).add([first { \(bodies[0].source) }, second after first { \(bodies[1].source) }])"
    case .barrierBlock(let body): "operations.addBarrierBlock { \(body.source) }"
    case .paused(let body):
      "operations.isSuspended = true; \(body.source); operations.isSuspended = false"
    case .width(let count): "operations.maxConcurrentOperationCount = \(count)"
    case .flip(let coin): "log(\(coin.rawValue))"
    case .branch(let coin, let bodies):
      "if \(coin.rawValue) { \(bodies[1].source) } else { \(bodies[0].source) }"
    case .see(let object): "log(weak \(object))"
    case .drop(let object): "await owner\(object).drop()"
    case .hold(let object, let body): "let o = await owner\(object).object; \(body.source); keep(o)"
    case .result(let isError): "weak w = await Task { \(isError ? "throw " : "")Object() }.value; log(w)"
    case .tagged(let tag, let body): "Tag.withValue(\(tag)) { \(body.source) }"
    case .tag: "log(Tag.current)"
    case .group(let group, let bodies):
      "group(\(group)) { " + bodies.map { "{ \($0.source) }" }.joined(separator: ", ") + " }"
    case .child(let body, let isAwaited):
      "async let c = { \(body.source) }\(isAwaited ? "; log(await c)" : "")"
    case .start(let start, let body, let isAwaited):
      "Task(\(start)) { \(body.source) }\(isAwaited ? ".value" : "")"
    }
  }
}
