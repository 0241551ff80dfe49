import Simulator
import Synchronization
import Testing

/// Words that tasks share.
final class Words: Sendable {
  let x = Atomic(0)
  let y = Atomic(0)
}

/// One of the small programs that distinguish memory models, with its possible outcomes.
struct MemoryProgram: Sendable, CustomTestStringConvertible {
  let name: String
  /// With sequential consistency.
  let strong: Set<String>
  /// With weak memory.
  let weak: Set<String>
  /// True if an x86 machine shows what only weak memory does.
  var isShownByX86 = false
  let tasks: [@Sendable (Words) -> String]

  var testDescription: String { name }

  var small: SmallProgram {
    let tasks = tasks
    return SmallProgram(name) { _ in
      let words = Words()
      return await withTaskGroup(of: (Int, String).self) { group in
        for (number, task) in tasks.enumerated() { group.addTask { (number, task(words)) } }
        var found = Array(repeating: "", count: tasks.count)
        for await (number, text) in group { found[number] = text }
        return found.joined()
      }
    }
  }
}

extension MemoryProgram {
  static let all = storeBuffering + messagePassing + others

  private static let storeBuffering: [MemoryProgram] = [
    MemoryProgram(
      name: "store buffering, relaxed", strong: ["01", "10", "11"], weak: ["00", "01", "10", "11"],
      isShownByX86: true,
      tasks: [
        {
          $0.x.store(1, ordering: .relaxed); return "\($0.y.load(ordering: .relaxed))"
        },
        {
          $0.y.store(1, ordering: .relaxed); return "\($0.x.load(ordering: .relaxed))"
        },
      ]),
    MemoryProgram(
      name: "store buffering, releasing and acquiring", strong: ["01", "10", "11"],
      weak: ["00", "01", "10", "11"],
      isShownByX86: true,
      tasks: [
        {
          $0.x.store(1, ordering: .releasing); return "\($0.y.load(ordering: .acquiring))"
        },
        {
          $0.y.store(1, ordering: .releasing); return "\($0.x.load(ordering: .acquiring))"
        },
      ]),
    MemoryProgram(
      name: "store buffering, sequentially consistent", strong: ["01", "10", "11"], weak: ["01", "10", "11"],
      tasks: [
        {
          $0.x.store(1, ordering: .sequentiallyConsistent);
          return "\($0.y.load(ordering: .sequentiallyConsistent))"
        },
        {
          $0.y.store(1, ordering: .sequentiallyConsistent);
          return "\($0.x.load(ordering: .sequentiallyConsistent))"
        },
      ]),
    MemoryProgram(
      name: "store buffering with fences", strong: ["01", "10", "11"], weak: ["01", "10", "11"],
      tasks: [
        {
          $0.x.store(1, ordering: .relaxed)
          atomicMemoryFence(ordering: .sequentiallyConsistent)
          return "\($0.y.load(ordering: .relaxed))"
        },
        {
          $0.y.store(1, ordering: .relaxed)
          atomicMemoryFence(ordering: .sequentiallyConsistent)
          return "\($0.x.load(ordering: .relaxed))"
        },
      ]),
    MemoryProgram(
      name: "store buffering behind updates", strong: ["01", "10", "11"], weak: ["00", "01", "10", "11"],
      tasks: [
        {
          $0.x.add(1, ordering: .relaxed); return "\($0.y.load(ordering: .relaxed))"
        },
        {
          $0.y.add(1, ordering: .relaxed); return "\($0.x.load(ordering: .relaxed))"
        },
      ]),
  ]

  private static func passes(
    _ name: String, weak: Set<String>, _ sends: @escaping @Sendable (Words) -> Void,
    _ receives: @escaping @Sendable (Words) -> Int
  ) -> MemoryProgram {
    MemoryProgram(
      name: "message passing, \(name)", strong: ["00", "01", "11"], weak: weak,
      tasks: [
        {
          $0.x.store(1, ordering: .relaxed); sends($0); return ""
        },
        {
          let flag = receives($0); return "\(flag)\($0.x.load(ordering: .relaxed))"
        },
      ])
  }

  private static let messagePassing: [MemoryProgram] = [
    passes(
      "relaxed", weak: ["00", "01", "10", "11"], { $0.y.store(1, ordering: .relaxed) },
      { $0.y.load(ordering: .relaxed) }),
    passes(
      "only released", weak: ["00", "01", "10", "11"], { $0.y.store(1, ordering: .releasing) },
      { $0.y.load(ordering: .relaxed) }),
    passes(
      "only acquired", weak: ["00", "01", "10", "11"], { $0.y.store(1, ordering: .relaxed) },
      { $0.y.load(ordering: .acquiring) }),
    passes(
      "released and acquired", weak: ["00", "01", "11"], { $0.y.store(1, ordering: .releasing) },
      { $0.y.load(ordering: .acquiring) }),
    passes(
      "with fences", weak: ["00", "01", "11"],
      {
        atomicMemoryFence(ordering: .releasing)
        $0.y.store(1, ordering: .relaxed)
      },
      {
        let flag = $0.y.load(ordering: .relaxed)
        atomicMemoryFence(ordering: .acquiring)
        return flag
      }),
  ]

  private static let others: [MemoryProgram] = [
    MemoryProgram(
      name: "load buffering", strong: ["00", "01", "10"], weak: ["00", "01", "10"],
      tasks: [
        {
          let seen = $0.x.load(ordering: .relaxed); $0.y.store(1, ordering: .relaxed); return "\(seen)"
        },
        {
          let seen = $0.y.load(ordering: .relaxed); $0.x.store(1, ordering: .relaxed); return "\(seen)"
        },
      ]),
    MemoryProgram(
      name: "two loads of one word", strong: ["00", "01", "11"], weak: ["00", "01", "11"],
      tasks: [
        {
          $0.x.store(1, ordering: .relaxed); return ""
        },
        { "\($0.x.load(ordering: .relaxed))\($0.x.load(ordering: .relaxed))" },
      ]),
    MemoryProgram(
      name: "an update in a release sequence", strong: ["00", "01", "10", "11", "21"],
      weak: ["00", "01", "10", "11", "21"],
      tasks: [
        {
          $0.x.store(1, ordering: .relaxed); $0.y.store(1, ordering: .releasing); return ""
        },
        {
          $0.y.add(1, ordering: .relaxed); return ""
        },
        { "\($0.y.load(ordering: .acquiring))\($0.x.load(ordering: .relaxed))" },
      ]),
    passesOn("releasing", weak: [], { $0.y.store(1, ordering: .releasing) }),
    passesOn("relaxed", weak: ["110"], { $0.y.store(1, ordering: .relaxed) }),
    readers("acquiring", weak: ["1010"]) { $0.load(ordering: .acquiring) },
    readers("sequentially consistent", weak: []) { $0.load(ordering: .sequentiallyConsistent) },
  ]

  /// A task that has read a word tells another one, which then reads that word.
  private static func passesOn(
    _ name: String, weak: Set<String>, _ tells: @escaping @Sendable (Words) -> Void
  ) -> MemoryProgram {
    let strong: Set = ["000", "001", "010", "011", "100", "101", "111"]
    return MemoryProgram(
      name: "what one has read and tells, \(name)", strong: strong, weak: strong.union(weak),
      tasks: [
        {
          $0.x.store(1, ordering: .relaxed); return ""
        },
        {
          let seen = $0.x.load(ordering: .relaxed); tells($0); return "\(seen)"
        },
        { "\($0.y.load(ordering: .acquiring))\($0.x.load(ordering: .relaxed))" },
      ])
  }

  /// Two tasks read what two others write, in opposite orders.
  private static func readers(
    _ name: String, weak: Set<String>, _ load: @escaping @Sendable (borrowing Atomic<Int>) -> Int
  ) -> MemoryProgram {
    let all = (0..<16).map { number in (0..<4).map { number >> (3 - $0) & 1 == 1 ? "1" : "0" }.joined() }
    let strong = Set(all).subtracting(["1010"])
    return MemoryProgram(
      name: "two readers of two words, \(name)", strong: strong, weak: strong.union(weak),
      tasks: [
        {
          $0.x.store(1, ordering: .sequentiallyConsistent); return ""
        },
        {
          $0.y.store(1, ordering: .sequentiallyConsistent); return ""
        },
        { "\(load($0.x))\(load($0.y))" },
        { "\(load($0.y))\(load($0.x))" },
      ])
  }
}
