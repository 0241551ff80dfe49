import Foundation
import Simulator
import Testing

/// What must be the same in every process, and in the first execution of one.
@Suite struct `Fresh processes` {
  static let program: @Sendable (Simulation) async throws -> Void = { simulation in
    let names = Set((0..<10).map { "name \($0)" })
    for name in names { simulation.record(.note("\(name) \(UUID()) \(Int.random(in: 0..<1_000)) \(Date())")) }
    let ledger = Ledger()
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          let before = await ledger.value
          try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<3)))
          await ledger.set(before + number)
          await MainActor.run { simulation.record(.note("\(arc4random()) \(rand())")) }
        }
      }
    }
    if await ledger.value < 6 { simulation.fail("nothing lost", "\(await ledger.value) instead of 6") }
  }

  actor Ledger {
    private(set) var value = 0
    func set(_ value: Int) { self.value = value }
  }

  /// Tokens and digests of a search.
  static func summary() -> String {
    let report = explore("program", program)
    let violation = report.violations.first
    return
      "\(simulate(.natural, program).trace.digest) \(report.schedules) \(violation?.token.description ?? "none")"
  }

  @Test func `a search finds the same token in every process`() async throws {
    var lines: [String] = []
    for _ in 1...3 {
      let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
        print("<\(Self.summary())>")
      }
      let output = String(decoding: result.standardOutputContent, as: UTF8.self)
      lines += output.split(separator: "\n").filter { $0.hasPrefix("<") }.map {
        String($0.dropFirst().dropLast())
      }
    }
    #expect(lines == Array(repeating: Self.summary(), count: 3))
  }

  @Test func `the first execution of a process is like every other`() async {
    await #expect(processExitsWith: .success) {
      let digests = (1...3).map { _ in simulate(.natural, Self.program).trace.digest }
      precondition(Set(digests).count == 1, "\(digests)")
    }
  }
}
