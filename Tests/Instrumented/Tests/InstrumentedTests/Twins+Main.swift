import Foundation

extension Twins {
  /// What runs on the main thread: the main actor's steps, the main queue's blocks and the callbacks of the main run loop.
  static let main: [Twins] = [
    Twins("the main actor and the main queue") { total in
      DispatchQueue.main.async { total.add() }
      await onMain(total)
      await drained(.main)
    } racy: { total in
      let queue = DispatchQueue(label: "q")
      queue.async { total.add() }
      await onMain(total)
      await drained(queue)
    },
    Twins("sync on the main queue") { total in
      async let first: Void = onMain(total)
      async let second: Void = DispatchQueue.main.sync { total.add() }
      async let third: Void = DispatchQueue.main.sync { total.add() }
      _ = await (first, second, third)
      await onMain(total)
    } racy: { total in
      async let first: Void = DispatchQueue.main.sync { total.add() }
      total.add()
      await first
    },
    Twins("the main run loop") { total in
      await onMain(total)
      RunLoop.main.perform { total.add() }
      await called { done in
        RunLoop.main.perform {
          total.add()
          done()
        }
      }
      await onMain(total)
    } racy: { total in
      await called { done in
        RunLoop.main.perform {
          total.add()
          done()
        }
        total.add()
      }
    },
    Twins("a timer of the main run loop") { total in
      await scheduled { total.add() }
      await onMain(total)
      try? await Task.sleep(for: .seconds(2))
      await onMain(total)
    } racy: { total in
      await scheduled { total.add() }
      try? await Task.sleep(for: .seconds(1))
      total.add()
      await drained(.main)
    },
  ]

  @MainActor private static func onMain(_ total: Total) { total.add() }

  @MainActor private static func scheduled(_ body: @escaping @Sendable () -> Void) {
    _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in body() }
  }
}
