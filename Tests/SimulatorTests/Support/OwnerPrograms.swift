import Foundation
import Simulator

/// A program in which the last owner of something goes away while it is in use.
struct OwnerProgram: Sendable, CustomStringConvertible {
  let description: String
  let body: @Sendable () async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable () async throws -> Void) {
    self.description = description
    self.body = body
  }

  /// One that ends when the function that it is given is called.
  init(_ description: String, calls body: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.init(description) {
      await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in body { waiting.resume() }
      }
    }
  }

  /// Calls a function at its end.
  final class Dying: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  struct Gone: Error {}

  private static let key = DispatchSpecificKey<Dying>()
  private static let lasting = DispatchQueue(
    label: "lasting", attributes: .concurrent,
    target: DispatchQueue(label: "middle", target: DispatchQueue(label: "last")))

  static func requests() -> DispatchQueue {
    DispatchQueue(label: "requests", target: DispatchQueue(label: "inner"))
  }

  static let all = queues + targets + groups + timers + elsewhere

  private static let queues = [
    OwnerProgram("a queue that alone keeps its target", calls: { end in requests().async { end() } }),
    OwnerProgram("a queue that alone keeps its target, by sync") { requests().sync {} },
    OwnerProgram(
      "such a queue after a delay", calls: { end in requests().asyncAfter(deadline: .now() + 1) { end() } }),
    OwnerProgram(
      "such a queue made before the execution",
      calls: { end in lasting.async { lasting.async(flags: .barrier) { end() } } }),
    OwnerProgram(
      "a suspended queue that its last block's owner resumes",
      calls: { end in
        let queue = requests()
        queue.suspend()
        queue.async { end() }
        DispatchQueue.global().async { queue.resume() }
      }),
    OwnerProgram("an inactive queue in a task that never ends") {
      Task {
        let queue = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
        queue.async {}
        try? await Task.sleep(for: .seconds(1_000_000))
        withExtendedLifetime(queue) {}
      }
    },
    OwnerProgram("queues made by iterations") {
      DispatchQueue.concurrentPerform(iterations: 3) { _ in
        requests().sync {}
        requests().async {}
      }
    },
    OwnerProgram(
      "what a queue keeps ends with it",
      calls: { end in
        let queue = requests()
        queue.setSpecific(key: key, value: Dying(end))
        queue.async {}
        queue.asyncAfter(deadline: .now() + 1) {}
      }),
    OwnerProgram("what a queue keeps is there while work comes") {
      let queue = requests()
      queue.setSpecific(key: key, value: Dying {})
      let isThere = await withCheckedContinuation { waiting in
        queue.async { waiting.resume(returning: DispatchQueue.getSpecific(key: key) != nil) }
      }
      if !isThere { throw Gone() }
    },
    OwnerProgram("what a queue keeps is replaced") {
      let queue = requests()
      await withCheckedContinuation { waiting in
        queue.setSpecific(key: key, value: Dying { waiting.resume() })
        queue.setSpecific(key: key, value: nil)
      }
    },
  ]

  private static let targets = [
    OwnerProgram(
      "a chain of three",
      calls: { end in
        let last = DispatchQueue(label: "third", attributes: .concurrent)
        DispatchQueue(label: "first", target: DispatchQueue(label: "second", target: last)).async { end() }
      }),
    OwnerProgram(
      "a target set later",
      calls: { end in
        let queue = DispatchQueue(label: "later", attributes: .initiallyInactive, target: requests())
        queue.async { end() }
        queue.setTarget(queue: requests())
        queue.setTarget(queue: DispatchQueue(label: "another"))
        queue.activate()
      }),
    OwnerProgram(
      "a target that was suspended",
      calls: { end in
        let target = DispatchQueue(label: "target")
        target.suspend()
        DispatchQueue(label: "first", target: target).async { end() }
        target.resume()
      }),
    OwnerProgram(
      "a global target",
      calls: { end in DispatchQueue(label: "on a global queue", target: .global()).async { end() } }),
  ]
}
