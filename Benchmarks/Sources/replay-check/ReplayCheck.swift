import Foundation
import Simulator
import SimulatorStrategies

/// Finds violations by every strategy in one process and replays each in another.
///
/// `replay-check [COUNT]` prints for each strategy how many of its share of COUNT (10,000 unless said) reproduced, and
/// exits with 1 if one did not.
@main enum ReplayCheck {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--verify" { return verify() }
    let count = arguments.first.flatMap { Int($0) } ?? 10_000
    let names = Strategies.Named.all.map(\.name).filter { $0 != "natural" }
    let unseeded = ["delay", "exhaustive", "reduced"]
    var left = count
    var isComplete = true
    for (index, name) in names.sorted(by: { unseeded.contains($0) && !unseeded.contains($1) }).enumerated() {
      let share = unseeded.contains(name) ? Program.all.count : left / (names.count - index)
      let found = find(share, by: name)
      let reproduced = try replayInAnotherProcess(found)
      print("\(name): \(found.count) violations found, \(reproduced) reproduced in another process")
      isComplete = isComplete && found.count == share && reproduced == share
      left -= share
    }
    print(isComplete ? "all \(count) reproduced" : "NOT ALL \(count) FOUND AND REPRODUCED")
    exit(isComplete ? 0 : 1)
  }

  /// One violation a seed, from each program in turn.
  private static func find(_ count: Int, by name: String) -> [String] {
    var lines: [String] = []
    var seed: UInt64 = 0
    while lines.count < count, seed < 10 * count {
      let program = Program.all[Int(seed) % Program.all.count]
      var explorer = program.explorer
      explorer.seed = seed
      if let strategy = Strategies.Named.named(name) { explorer.strategy = strategy.make() }
      explorer.triesNaturalOrder = false
      explorer.checksDeterminism = seed < 10
      explorer.budget.schedules = 1_000
      for violation in explorer.explore().violations {
        lines.append("\(program.name) \(violation.invariant) \(violation.token)")
      }
      seed += 1
    }
    return Array(lines.prefix(count))
  }

  private static func replayInAnotherProcess(_ lines: [String]) throws -> Int {
    let file = FileManager.default.temporaryDirectory.appending(path: "replay-check-\(UUID())")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["--verify"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return Int(said.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  /// Replays the lines on standard input and prints how many reproduced.
  private static func verify() {
    let explorers = Dictionary(
      uniqueKeysWithValues: Program.all.map { ($0.name, $0.explorer) })
    var reproduced = 0
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 3, let explorer = explorers[words[0]],
        let token = try? Schedule.Token(parsing: words[2])
      else { continue }
      let result = explorer.replay(token)
      if result.divergence == nil, result.execution.violations.contains(where: { $0.invariant == words[1] }) {
        reproduced += 1
      }
    }
    print(reproduced)
  }
}
