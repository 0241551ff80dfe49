import Foundation
import Simulator

extension OwnedProgram {
  /// What comes of it in some schedules.
  func explored(schedules: Int, seed: UInt64) -> Explorer.Report {
    var explorer = Explorer(name: "owners") { simulation in
      let world = World()
      for operation in operations { world.run(operation) }
      try await Task.sleep(for: .seconds(60))
      world.dropAll()
      try await Task.sleep(for: .seconds(60))
      for complaint in world.ledger.complaints {
        simulation.fail("each block runs as often as it must", complaint)
      }
    }
    explorer.budget.schedules = schedules
    explorer.budget.shrinkingExecutions = 0
    explorer.seed = seed
    return explorer.explore()
  }

  /// How often each block has run, and what of them is alive.
  final class Ledger: @unchecked Sendable {
    // @unchecked Sendable because a simulation runs one thread at a time.
    private var counts: [Int: (ran: Int, least: Int, most: Int)] = [:]
    private(set) var alive = 0

    func expect(_ id: Int, _ times: ClosedRange<Int>) {
      let old = counts[id] ?? (0, 0, 0)
      counts[id] = (old.ran, old.least + times.lowerBound, old.most + times.upperBound)
    }

    func ran(_ id: Int) { counts[id, default: (0, 0, 0)].ran += 1 }

    var complaints: [String] {
      let wrong = counts.sorted { $0.key < $1.key }.compactMap { id, count in
        (count.least...count.most).contains(count.ran)
          ? nil : "block \(id) ran \(count.ran) times, not \(count.least)...\(count.most)"
      }
      return wrong + (alive == 0 ? [] : ["\(alive) of what blocks hold are alive"])
    }

    /// What a block holds.
    final class Token: Sendable {
      private let ledger: Ledger
      init(_ ledger: Ledger) {
        self.ledger = ledger
        ledger.alive += 1
      }
      deinit { ledger.alive -= 1 }
    }
  }

  /// What the operations share.
  final class World: @unchecked Sendable {
    // @unchecked Sendable because a simulation runs one thread at a time.
    let ledger = Ledger()
    private var queues = [DispatchQueue?](repeating: nil, count: OwnedProgram.queueSlots)
    private var groups = [DispatchGroup?](repeating: nil, count: OwnedProgram.otherSlots)
    private var items = [Item?](repeating: nil, count: OwnedProgram.otherSlots)
    private static let key = DispatchSpecificKey<Ledger.Token>()

    func dropAll() {
      for slot in queues.indices { queues[slot] = nil }
      for slot in groups.indices { groups[slot] = nil }
      for slot in items.indices { items[slot] = nil }
    }

    func body(_ body: Body, _ times: ClosedRange<Int> = 1...1) -> @Sendable () -> Void {
      ledger.expect(body.id, times)
      let token = Ledger.Token(ledger)
      return { [self] in
        ledger.ran(body.id)
        for operation in body.operations { run(operation) }
        withExtendedLifetime(token) {}
      }
    }

    func queue(_ slot: Int) -> DispatchQueue {
      queues[slot] ?? DispatchQueue(label: "nobody's", target: DispatchQueue(label: "its own"))
    }

    func group(_ slot: Int) -> DispatchGroup { groups[slot] ?? DispatchGroup() }

    private func target(_ target: Target) -> DispatchQueue? {
      switch target {
      case .none: nil
      case .own: DispatchQueue(label: "own")
      case .chain:
        DispatchQueue(
          label: "first", attributes: .concurrent,
          target: DispatchQueue(label: "second", target: DispatchQueue(label: "third")))
      case .global: .global()
      case .slot(let slot): queue(slot)
      }
    }

    private func make(_ slot: Int, _ kind: QueueKind, _ its: Target) {
      let attributes: DispatchQueue.Attributes =
        switch kind {
        case .serial: []
        case .concurrent: .concurrent
        case .inactive: [.concurrent, .initiallyInactive]
        }
      let first = kind == .inactive ? DispatchQueue(label: "replaced") : target(its)
      let made = DispatchQueue(label: "queue \(slot)", attributes: attributes, target: first)
      if kind == .inactive {
        made.async(execute: held {})
        made.setTarget(queue: target(its) ?? .global())
        made.activate()
      }
      queues[slot] = made
    }

    /// A block that holds something.
    func held(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
      let token = Ledger.Token(ledger)
      return { withExtendedLifetime(token, work) }
    }

    func run(_ operation: Operation) {
      switch operation {
      case .makeQueue(let slot, let kind, let target): make(slot, kind, target)
      case .dropQueue(let slot): queues[slot] = nil
      case .async(let slot, let its): queue(slot).async(execute: body(its))
      case .barrier(let slot, let its): queue(slot).async(flags: .barrier, execute: body(its))
      case .after(let slot, let time, let its):
        queue(slot).asyncAfter(deadline: .now() + .milliseconds(time), execute: body(its))
      case .sync(let slot, let its): queue(slot).sync(execute: body(its))
      case .suspended(let slot, let its):
        let queue = queue(slot)
        queue.suspend()
        queue.async(execute: body(its))
        queue.resume()
      case .keeps(let slot, let isReplaced):
        let queue = queue(slot)
        queue.setSpecific(key: Self.key, value: Ledger.Token(ledger))
        if isReplaced { queue.setSpecific(key: Self.key, value: nil) }
      case .makeGroup(let slot): groups[slot] = DispatchGroup()
      case .dropGroup(let slot): groups[slot] = nil
      case .inGroup, .enterAndLeave, .notify: runOnGroup(operation)
      case .makeItem(let slot, let its): items[slot] = Item(body(its, 0...1))
      case .dropItem(let slot): items[slot] = nil
      case .submit, .cancel, .notifyItem: runOnItem(operation)
      default: runElsewhere(operation)
      }
    }

    private func runOnGroup(_ operation: Operation) {
      switch operation {
      case .inGroup(let slot, let queue, let its):
        self.queue(queue).async(group: group(slot), execute: body(its))
      case .enterAndLeave(let slot, let queue):
        let group = group(slot)
        group.enter()
        self.queue(queue).async(execute: held { group.leave() })
      case .notify(let slot, let queue, let its):
        group(slot).notify(queue: self.queue(queue), execute: body(its))
      default: break
      }
    }

    private func runOnItem(_ operation: Operation) {
      switch operation {
      case .submit(let slot, let queue): items[slot]?.submit(to: self.queue(queue))
      case .cancel(let slot): items[slot]?.work.cancel()
      case .notifyItem(let slot, let queue, let its):
        // It comes when the item has been done, which it may never be.
        items[slot]?.work.notify(queue: self.queue(queue), execute: body(its, 0...1))
      default: break
      }
    }
  }

  /// A work item that is handed over once at most, as Dispatch wants it where somebody waits for it.
  final class Item: @unchecked Sendable {
    // @unchecked Sendable because a simulation runs one thread at a time.
    let work: DispatchWorkItem
    private var isSubmitted = false

    init(_ body: @escaping @Sendable () -> Void) { work = DispatchWorkItem(block: body) }

    func submit(to queue: DispatchQueue) {
      if !isSubmitted { queue.async(execute: work) }
      isSubmitted = true
    }
  }
}
