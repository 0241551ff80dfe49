import Foundation
import Testing

/// Killed at any moment, a file is the old one or the new one.
@Suite(.serialized) struct `Killing the tool` {
  private static let kills = 200

  @Test(.timeLimit(.minutes(2)))
  func `a report and a scenario file are whole at any moment`() throws {
    let scratch = try Scratch()
    let before = `Reports to files`.scenario(schedules: 1)
    let file = try scratch.write(before, as: "a.json")
    let arguments = ["--record", file, "--output", "text=\(scratch.path("report"))"]
    let whole = try Tool.run(arguments)
    let recorded = try scratch.text("a.json")
    #expect(whole.status == 0 && recorded != before)
    let reports = Set([try scratch.text("report"), "old"])
    var random = SystemRandomNumberGenerator()
    var seen: [String: Int] = [:]
    let full = try Self.milliseconds { _ = try Self.run(arguments, scratch, before) }
    for _ in 0..<Self.kills {
      try scratch.replace("report", with: "old")
      try scratch.replace("a.json", with: before)
      let process = try Tool.start(arguments)
      // Most of a run is spent elsewhere; the writing is at its end.
      let moment = Double.random(in: full * 0.5...full * 1.05, using: &random)
      Thread.sleep(forTimeInterval: moment / 1_000)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let (report, scenario) = (try scratch.text("report"), try scratch.text("a.json"))
      try #require(reports.contains(report), "half a report: \(report.suffix(200))")
      try #require([before, recorded].contains(scenario), "half a file: \(scenario)")
      seen["\(report == "old") \(scenario == before)", default: 0] += 1
    }
    // Both were seen, or nothing was put to the test.
    #expect(seen.count > 1, "\(seen)")
    #expect(try Self.run(arguments, scratch, before) == 0)
    #expect(try scratch.names() == ["a.json", "report"])
  }

  private static func run(_ arguments: [String], _ scratch: Scratch, _ text: String) throws -> Int32 {
    try scratch.replace("a.json", with: text)
    let process = try Tool.start(arguments)
    process.waitUntilExit()
    return process.terminationStatus
  }

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    return (clock.now - start) / .milliseconds(1)
  }
}
