import Foundation
import Simulator
import Synchronization
import Testing

/// Chance and hashing are functions of the schedule.
@Suite struct `Randomness` {
  /// A line with something from every source.
  static func everySource() -> String {
    var generator = SystemRandomNumberGenerator()
    srand(42)
    let seeded = rand()
    srandom(42)
    #expect(seeded == Int32(random()))
    var words: [String] = ["\(Int.random(in: 0..<1_000_000))", "\(generator.next())", UUID().uuidString]
    words += ["\(Double.random(in: 0..<1))", "\(arc4random())", "\(arc4random_uniform(10))", "\(drand48())"]
    words += ["\(seeded)", "\(lrand48())", "\(mrand48())", "\([1, 2, 3, 4, 5, 6].shuffled())"]
    words.append("\(Set((0..<20).map { "\($0)" }))")
    words.append("\(Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, 0) }).keys)")
    var buffer = [UInt8](repeating: 0, count: 12)
    let got = unsafe getentropy(&buffer, 12)
    words.append("\(got) \(buffer) \("text".hashValue) \(1.hashValue)")
    return words.joined(separator: " ")
  }

  @Test func `every source gives the same on every run, on every thread`() async {
    let lines = await withTaskGroup(of: String.self) { group in
      for _ in 1...8 {
        group.addTask { @concurrent in
          let line = Mutex("")
          for _ in 1...3 {
            _ = simulate { _ in
              let drawn = Randomness.everySource()
              line.withLock { line in
                #expect(line.isEmpty || line == drawn)
                line = drawn
              }
            }
          }
          return line.withLock { $0 }
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(lines.count == 1)
  }

  @Test func `two draws of one run differ`() {
    _ = simulate { _ in
      #expect(UUID() != UUID())
      #expect(UInt64.random(in: 0...(.max)) != UInt64.random(in: 0...(.max)))
      #expect((0..<8).map { _ in rand() } != (0..<8).map { _ in rand() })
      #expect((0..<1_000).allSatisfy { _ in arc4random_uniform(7) < 7 })
      #expect((0..<1_000).allSatisfy { _ in (0..<1).contains(drand48()) })
    }
  }

  @Test func `outside a simulation chance is chance`() {
    #expect(UUID() != UUID())
    #expect(Set((0..<8).map { _ in arc4random() }).count > 1)
    #expect(Set((0..<8).map { _ in arc4random_uniform(.max) }).count > 1)
    srand(1)
    let first = rand()
    srand(1)
    #expect(first == rand())
  }
}
