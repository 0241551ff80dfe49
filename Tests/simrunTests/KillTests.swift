import Foundation
import TestEffort
import Testing

/// Killed at any moment, a file is the old one or the new one.
@Suite(.serialized) struct `Killing the tool` {
  private static let kills = tries(24, all: 200)

  /// What the moments of the kills are drawn from; `KILL_SEED` sets another.
  private static let seed = ProcessInfo.processInfo.environment["KILL_SEED"].flatMap(UInt64.init) ?? 1

  // On a busy machine it takes minutes; the limit is there to end what hangs.
  @Test(.timeLimit(.minutes(20)))
  func `a report and a scenario file are whole at any moment`() async throws {
    let scratch = try Scratch()
    // Long enough that writing it takes a while.
    let before = `Reports to files`.scenario(schedules: 1)
      .replacing("The user leaves.", with: String(repeating: "The user leaves. ", count: 800))
    let file = try scratch.write(before, as: "a.json")
    let arguments = ["--record", file, "--output", "text=\(scratch.path("report"))"]
    try #require(try await Tool.run(arguments).status == 0)
    let (recorded, report) = (try scratch.text("a.json"), try scratch.text("report"))
    try #require(recorded != before)
    // One thread for all of them: each wait for a thread of the pool could take as long as another test.
    let seen = try await onThread {
      var random = SeededGenerator(state: Self.seed)
      var seen: [String: Int] = [:]
      for number in 0..<Self.kills {
        try scratch.replace("report", with: "old")
        try scratch.replace("a.json", with: before)
        let moment: Moment =
          switch number % 3 {
          case 0: .somethingIsWritten(microseconds: Int.random(in: 0...3_000, using: &random))
          case 1: .theReportIsWritten
          default: .begun(microseconds: UInt32.random(in: 0...60_000, using: &random))
          }
        try Self.kill(arguments, in: scratch, untouched: Self.look(scratch), when: moment)
        let found = (report: try scratch.text("report"), scenario: try scratch.text("a.json"))
        if found.report != report, found.report != "old" {
          throw Part(of: "a report", bytes: found.report.utf8.count)
        }
        if found.scenario != before, found.scenario != recorded {
          throw Part(of: "a scenario file", bytes: found.scenario.utf8.count)
        }
        seen["\(found.report == "old") \(found.scenario == before)", default: 0] += 1
      }
      return seen
    }
    // None of both, one, and both: otherwise nothing was put to the test.
    #expect(seen.count == 3, "KILL_SEED=\(Self.seed): \(seen)")
    try scratch.replace("a.json", with: before)
    #expect(try await Tool.run(arguments).status == 0)
    #expect(try scratch.names() == ["a.json", "report"])
  }

  // On a busy machine it takes minutes; the limit is there to end what hangs.
  @Test(
    .timeLimit(.minutes(20)), .enabled(if: triesMore), arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal in the middle of a write leaves nothing beside the file`(signal: Int32) async throws {
    let scratch = try Scratch()
    let before = `Reports to files`.scenario(schedules: 1)
      .replacing("The user leaves.", with: String(repeating: "The user leaves. ", count: 40_000))
    let file = try scratch.write(before, as: "a.json")
    let ends = try await onThread {
      var random = SeededGenerator(state: Self.seed)
      var ends: Set<Int32> = []
      for number in 0..<tries(12, all: 30) {
        try scratch.replace("a.json", with: before)
        let arguments =
          number % 2 == 0
          ? ["expect", file, "--write", "--replace"]
          : [file, "--record", "--output", "json=\(scratch.path("j"))"]
        let process = try Tool.start(arguments)
        usleep(UInt32.random(in: 0...400_000, using: &random))
        Foundation.kill(process.processIdentifier, signal)
        process.waitUntilExit()
        ends.insert(process.terminationStatus)
        let names = try scratch.names().filter { $0 != "j" }
        if names != ["a.json"] { throw Part(of: "\(names)", bytes: 0) }
      }
      return ends
    }
    #expect(ends.isSubset(of: [0, 1, 3, signal, 128 + signal]), "\(ends)")
    #expect(try await Tool.run("check", file).status == 0)
  }

  /// What a kill has left is neither the old file nor the new one.
  private struct Part: Error, CustomStringConvertible {
    let of: String
    let bytes: Int

    var description: String { "KILL_SEED=\(seed): a part of \(of): \(bytes) bytes" }
  }

  private enum Moment {
    /// So much later, or as soon as that.
    case somethingIsWritten(microseconds: Int)
    case theReportIsWritten
    case begun(microseconds: UInt32)
  }

  /// Starts the tool and kills it. It holds its thread, because a moment is a matter of microseconds.
  private static func kill(
    _ arguments: [String], in scratch: Scratch, untouched: [String], when moment: Moment
  ) throws {
    let process = try Tool.start(arguments)
    switch moment {
    case .somethingIsWritten(let microseconds):
      while process.isRunning, look(scratch) == untouched { usleep(20) }
      let clock = ContinuousClock()
      let end = clock.now + .microseconds(microseconds)
      while clock.now < end {}
    case .theReportIsWritten:
      while process.isRunning, look(scratch).contains("report 3") { usleep(20) }
    case .begun(let microseconds):
      usleep(microseconds)
    }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The names and sizes of all that is in the folder; what is empty was only tried.
  private static func look(_ scratch: Scratch) -> [String] {
    let names = (try? scratch.names()) ?? []
    return names.compactMap { name in
      var info = stat()
      let isThere = unsafe stat(scratch.path(name), &info) == 0
      return isThere && info.st_size > 0 ? "\(name) \(info.st_size)" : nil
    }
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers for the same seed.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
