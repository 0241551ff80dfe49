import Simulator

/// A program whose number of behaviors is known.
struct Program: Sendable {
  let name: String
  let behaviors: Int
  let body: @Sendable (Simulation) async throws -> Void
}

extension Program {
  static let all = [
    Program(name: "six tasks, each awaited by `value`", behaviors: 1) { _ in
      let tasks = (0..<6).map { _ in Task { await Private().change() } }
      for task in tasks { await task.value }
    },
    Program(name: "six tasks of a group, all awaited", behaviors: 1) { _ in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<6 { group.addTask { await Private().change() } }
        await group.waitForAll()
      }
    },
    indexer(threads: 12),
    lastZero(threads: 5),
    readers(8),
  ]
}

/// An actor that only one task knows.
private actor Private {
  private var value = 0

  func change() { value += 1 }
}

// MARK: - Flanagan and Godefroid: Dynamic Partial-Order Reduction for Model Checking Software, POPL 2005

extension Program {
  private actor Slot {
    private var word = 0

    func take(_ new: Int) -> Bool {
      guard word == 0 else { return false }
      word = new
      return true
    }
  }

  /// Each thread puts four words into a table of 128 slots, each into the first that is free. From twelve threads on
  /// some of them meet.
  static func indexer(threads: Int) -> Program {
    Program(name: "indexer(\(threads))", behaviors: 8) { _ in
      let table = (0..<128).map { _ in Slot() }
      let tasks = (0..<threads).map { thread in
        Task {
          for number in 1...4 {
            let word = number * 11 + thread
            var slot = word * 7 % table.count
            while await !table[slot].take(word) { slot = (slot + 1) % table.count }
          }
        }
      }
      for task in tasks { await task.value }
    }
  }
}

// MARK: - Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014

extension Program {
  /// A word of memory, of which the search is told who reads it and who writes it; each access is a step.
  private final class Word: @unchecked Sendable {
    // @unchecked Sendable because the tasks of a simulation run on one thread.
    private let name: String
    private var value = 0

    init(_ name: String) { self.name = name }

    func read() async -> Int {
      await Task.yield()
      Simulation.current?.declareAccess(to: name, .read)
      return value
    }

    func write(_ new: Int) async {
      await Task.yield()
      Simulation.current?.declareAccess(to: name)
      value = new
    }
  }

  /// One thread looks for the last zero of an array, while each of the others makes one word one greater than that
  /// before it.
  static func lastZero(threads: Int) -> Program {
    Program(name: "lastzero(\(threads))", behaviors: 64) { _ in
      let words = (0...threads).map { Word("\($0)") }
      let finder = Task {
        var index = threads
        while await words[index].read() != 0 { index -= 1 }
      }
      let writers = (1...threads).map { index in
        Task { await words[index].write(await words[index - 1].read() + 1) }
      }
      await finder.value
      for writer in writers { await writer.value }
    }
  }

  /// One thread writes a word that the others read.
  static func readers(_ count: Int) -> Program {
    Program(name: "readers(\(count))", behaviors: 1 << count) { _ in
      let word = Word("word")
      let writer = Task { await word.write(1) }
      let readers = (0..<count).map { _ in Task { _ = await word.read() } }
      await writer.value
      for reader in readers { await reader.value }
    }
  }
}
