import Foundation

/// Tests that fail on purpose: they run only in a process of their own, started by the tests about them.
enum Fixtures {
  private static let variable = "SIMULATOR_FIXTURES"

  static let areEnabled = ProcessInfo.processInfo.environment[variable] != nil

  /// What one of them replays.
  static let token = ProcessInfo.processInfo.environment[variable] ?? ""

  /// What the fixtures of Swift Testing print.
  static let testing = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Failing",
  ])

  /// What those print in which a schedule ends the process.
  static let crashing = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Crashing",
  ])

  /// What those print that send themselves signals.
  static let signaling = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Signaling",
  ])

  /// What the fixture `name` prints when nothing is contained.
  static func uncontained(_ name: String) -> String {
    output(
      of: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.\(name)"],
      // The toolchain's backtrace of a process that is killed meanwhile may never end, and keeps the process's end from being told.
      adding: ["SIMULATOR_CONTAINED": "0", "SWIFT_BACKTRACE": "enable=no"])
  }

  /// What a fixture that passes prints where a step may take `text` seconds.
  static func stalled(after text: String) -> String {
    output(
      of: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Crashing/passes"],
      adding: ["SIMULATOR_STALL_SECONDS": text])
  }

  /// What those print that leave something behind, or are right only where nothing is left.
  static let kept = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Kept/",
  ])

  /// The same by XCTest.
  static let keptXCTest = output(of: ["SimulatorTestingTests.KeptTestCase"])

  /// What those print that keep something from one run to the next.
  static let keptBetweenRuns = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.KeptBetweenRuns",
  ])

  /// What those print that wait for a thread which is older than the search.
  static let warm = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Warm",
  ])

  /// What those print that have a time budget.
  static let lasting = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Lasting",
  ])

  /// What those print whose body does not return.
  static let unfinished = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Unfinished",
  ])
  static let unfinishedXCTest = output(of: ["SimulatorTestingTests.UnfinishedTestCase"])

  /// What those print that pass and have something to say.
  static let advised = output(of: [
    "--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Advised",
  ])
  /// What those of one suite print whose bodies harm their process.
  static func hostile(_ suite: String, environment: [String: String] = [:]) -> String {
    output(
      of: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Hostile/\(suite)"],
      adding: environment)
  }

  /// What the fixture `name` prints that depends on the world.
  static func world(_ name: String, environment: [String: String] = [:]) -> String {
    output(
      of: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.World/\(name)"],
      adding: environment)
  }

  /// What the fixture `name` prints, which replays `token`.
  static func replay(_ token: Substring, in name: String = "Failing/replayed") -> String {
    output(
      of: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.\(name)"],
      token: token)
  }

  /// What the fixture `name` prints when it is asked what it covered.
  static func covering(_ name: String) -> String {
    output(
      of: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Failing/\(name)"],
      adding: ["SIMULATOR_COVERAGE": "1"])
  }

  /// The page that the fixtures whose names match write, and what they print.
  static func page(of name: String, replaying token: Substring = "") -> (html: String, output: String) {
    page(
      by: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Failing/\(name)"],
      token: token)
  }

  /// The page that a method of XCTest writes, and what it prints.
  static func pageOfXCTest(
    _ name: String, replaying token: Substring = ""
  ) -> (html: String, output: String) {
    page(by: ["SimulatorTestingTests.FailingTestCase/\(name)"], token: token)
  }

  /// The page of a run in which a test of XCTest and one of Swift Testing each have a process, one after the other or at the
  /// same time, where the file holds what `earlier` says.
  static func pageOfBoth(atOnce: Bool, earlier: String = "") throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // `swift test` is above both of them, or what goes by that name.
    let shell = folder.appending(path: "swift-test")
    try FileManager.default.copyItem(at: URL(filePath: "/bin/sh").resolvingSymlinksInPath(), to: shell)
    let page = folder.appending(path: "page.html")
    try Data(earlier.utf8).write(to: page)
    let bundle = CommandLine.arguments[0]
    let one = "'\(bundle)' SimulatorTestingTests.FailingTestCase/testShared >/dev/null 2>&1"
    let other =
      "'\(bundle)' --testing-library swift-testing --filter SimulatorTestingTests.Failing/watched >/dev/null 2>&1"
    let process = Process()
    process.executableURL = shell
    process.arguments = ["-c", "\(one) \(atOnce ? "&" : ";") \(other); wait; true"]
    process.environment = ProcessInfo.processInfo.environment
      .merging([variable: "", "NO_COLOR": "1", "SIMULATOR_PAGE": page.path]) { $1 }
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: page, encoding: .utf8)
  }

  private static func page(by arguments: [String], token: Substring) -> (html: String, output: String) {
    let url = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID()).html")
    defer { try? FileManager.default.removeItem(at: url) }
    let output = output(of: arguments, token: token, adding: ["SIMULATOR_PAGE": url.path])
    return ((try? String(contentsOf: url, encoding: .utf8)) ?? "", output)
  }

  /// What a fixture prints that is to write its page where nothing can be written.
  static var unwritablePage: String {
    output(
      of: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Failing/watched"],
      adding: ["SIMULATOR_PAGE": "/proc/page.html"])
  }

  /// What the fixtures of XCTest print.
  static let xctest = output(of: ["SimulatorTestingTests.FailingTestCase"])

  /// What those of XCTest print in which a schedule ends the process.
  static let crashingXCTest = output(of: ["SimulatorTestingTests.CrashingTestCase"])

  /// What the method `name` of XCTest prints, which replays `token`.
  static func replayXCTest(_ token: Substring, in name: String) -> String {
    output(of: ["SimulatorTestingTests.\(name)"], token: token)
  }

  /// What those print that find a runtime that cannot be simulated, by Swift Testing and by XCTest.
  static func elsewhere(isRequired: Bool) -> (testing: String, xctest: String) {
    let variables = ["SIMULATOR_REQUIRED": isRequired ? "1" : ""]
    return (
      output(
        of: ["--testing-library", "swift-testing", "--filter", "SimulatorTestingTests.Elsewhere"],
        adding: variables),
      output(of: ["SimulatorTestingTests.ElsewhereTestCase"], adding: variables)
    )
  }

  /// This very test bundle, run again.
  private static func output(
    of arguments: [String], token: Substring = "", adding variables: [String: String] = [:]
  ) -> String {
    do { return try run(arguments, token, variables) } catch { return "could not be run: \(error)" }
  }

  private static func run(
    _ arguments: [String], _ token: Substring, _ variables: [String: String]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging([variable: "\(token)", "NO_COLOR": "1"]) { $1 }.merging(variables) { $1 }
    // A file and not a pipe: a process that writes into a pipe blocks when the pipe is not read.
    let url = FileManager.default.temporaryDirectory.appending(path: "fixtures-\(UUID())")
    try Data().write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try FileHandle(forWritingTo: url)
    process.standardOutput = file
    process.standardError = file
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: url, encoding: .utf8)
  }
}
