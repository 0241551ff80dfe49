import Foundation
import TestEffort
import Testing

/// What a body that harms its process does to its own test, and to the tests beside it, seen from outside.
@Suite(.serialized, .enabled(if: triesMore))
struct `A simulated test that harms its process` {
  private static let all = ["Descriptors", "Ends", "Memory", "Together"].map { Fixtures.hostile($0) }
    .joined(separator: "\n")
  private static let endless = Fixtures.hostile("Endless", environment: ["SIMULATOR_STALL_SECONDS": "2"])
  private static let late = Fixtures.hostile("Late")

  @Test(arguments: [
    ("mayOpenNone()", "none may be opened"), ("mayWriteNothing()", "the process ended by SIG"),
    ("exitsAtOnce()", "exit(0)"), ("exitsQuickly()", "exit(0)"), ("exitsAlways()", "exit(0)"),
    ("exitsFromAHandler()", "exit(0)"), ("endsItsThread()", "exit(0)"), ("killsItself()", "SIGKILL"),
    ("beginsASession()", "in a session of its own"), ("recursesWithoutEnd()", "SIGSEGV"),
    ("freesTwice()", "double free"), ("unmapsItsGlobals()", "SIGSEGV"), ("traps()", "one"),
    ("trapsToo()", "two"),
  ])
  func `has one issue, which says what ended it`(name: String, words: String) throws {
    let issues = Recorded.all(of: name, in: Self.all)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    #expect(issues[0].headline.contains("Crash: "))
    #expect(issues[0].headline.contains(words))
  }

  @Test func `has an escape where it would become another program`() throws {
    let issue = try #require(Recorded.all(of: "becomesAnother()", in: Self.all).first)
    #expect(issue.headline.contains("execv"))
  }

  @Test(arguments: [
    ("closesAll()", "close"), ("overwritesAll()", "dup2"), ("closesARange()", "close"),
    ("closesAllAndHolds()", "close"), ("closesAllAndExpects()", "close"),
  ])
  func `has an escape where it closes what it has not opened`(name: String, function: String) throws {
    let issues = Recorded.all(of: name, in: Self.all)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    #expect(issues[0].headline.contains("Escape: the program leaves the simulation by \(function)"))
  }

  /// What uses up all descriptors leaves none for the search.
  @Test func `has one issue where no descriptor is left`() {
    #expect(Recorded.all(of: "opensAllThereAre()", in: Self.all).count == 1)
  }

  /// The process of tests would have gone to another folder.
  @Test(arguments: ["leavesItsFolder()"])
  func `runs nowhere else, not even to show what it expected`(name: String) throws {
    let issues = Recorded.all(of: name, in: Self.all)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    #expect(issues[0].headline.contains("Expectation failed"))
  }

  @Test func `leaves the other tests to go on`() {
    #expect(Self.all.components(separatedBy: "Test lives() passed").count == 4)
    #expect(Self.all.components(separatedBy: "Test run with").count == 5)
  }

  @Test(arguments: ["spinsAlways()"])
  func `is not judged where its first execution lasts longer than the search may`(name: String) throws {
    let issues = Recorded.all(of: name, in: Self.late)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    #expect(issues[0].headline.contains("not judged: the time of the search was over"))
  }

  /// How far a search comes in its time depends on the machine.
  @Test(arguments: ["shrinks()", "shrinksTraps()"])
  func `tells what it has found when its time is over`(name: String) throws {
    let issues = Recorded.all(of: name, in: Self.late)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    #expect(issues[0].text.contains("violates ") || issues[0].text.contains("its time was over"))
  }

  /// Another test has set the flag.
  @Test func `is no hang where a fresh process has none`() throws {
    let issues = Recorded.all(of: "spinsWhereItIsSet()", in: Self.endless)
    try #require(issues.count == 1, "\(issues.map(\.headline))")
    #expect(issues[0].headline.contains("recorded a warning"))
    #expect(issues[0].said.contains("in which it holds"))
  }

  @Test func `is a hang where a step never ends, and a crash where it fills the memory`() throws {
    let output = Self.endless
    for name in ["spins()", "spinsAlways()", "takesALockForEver()", "isSlowAndSpins()"] {
      let issues = Recorded.all(of: name, in: output)
      try #require(issues.count == 1, "\(issues.map(\.headline))")
      #expect(issues[0].headline.contains("Hang: no step began or ended for "))
    }
    for name in ["allocates()", "doubles()", "nests()"] {
      let issues = Recorded.all(of: name, in: output)
      try #require(issues.count == 1, "\(issues.map(\.headline))")
      // How much memory there is decides whether the tasks use it up before their steps are too many.
      let isEndless = issues[0].headline.contains("Livelock: no end within") && name != "allocates()"
      #expect(isEndless || issues[0].headline.contains("Crash: the process used more than "))
    }
    #expect(output.contains("Test leaks() passed"))
    #expect(output.contains("Test keepsMuch() passed"))
    #expect(output.contains("Test hopsUntilATimer() passed"))
    let warnings = Recorded.all(of: "chains()", in: output)
    try #require(warnings.count == 1, "\(warnings.map(\.headline))")
    #expect(warnings[0].said.contains("a task was still at work") && warnings[0].said.count < 500)
    for (name, words) in [
      ("yieldsItsThread()", "Livelock: no end within "), ("makesThreads()", "at most 4096 threads at once"),
    ] {
      let issues = Recorded.all(of: name, in: output)
      try #require(issues.count == 1, "\(issues.map(\.headline))")
      #expect(issues[0].headline.contains(words))
    }
  }
}
