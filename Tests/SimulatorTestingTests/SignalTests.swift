import Foundation
import Simulator
import Testing

/// What becomes of signals that simulated tests send themselves, seen from outside.
@Suite(.preparing { Fixtures.signaling }) struct `A signal that a simulated test sends itself` {
  private func issue(_ name: String) throws -> Recorded {
    let issues = Recorded.all(of: name, in: Fixtures.signaling)
    try #require(issues.count == 1, "\(issues.map(\.headline)) in \(Fixtures.signaling.suffix(2_000))")
    return issues[0]
  }

  @Test func `is an issue for each signal that ends a process`() throws {
    let issues = Recorded.all(of: "raises(number:)", in: Fixtures.signaling)
    #expect(issues.count == Signaling.ending.count, "\(issues.map(\.headline))")
    for name in [
      "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGKILL", "signal 36",
    ] {
      let words = "Crash: the process ended: the program sent itself \(name), at"
      #expect(issues.contains { $0.said.contains(words) }, "\(name) of \(issues.map(\.headline))")
    }
    #expect(
      issues.allSatisfy { $0.said.contains("Signaling.swift:11") && $0.said.contains("violates no-crash") })
  }

  @Test(arguments: [
    ("kills()", "sent itself SIGTERM", 15), ("killsItsGroup()", "sent itself SIGTERM", 17),
    ("killsItsThread()", "sent itself SIGUSR1", 19), ("queues()", "sent itself SIGUSR1", 21),
    ("aborts()", "SIGABRT: abort", 23), ("raisesAnAbort()", "sent itself SIGABRT", 25),
    ("onTheMainActor()", "sent itself SIGTERM", 27), ("onAQueue()", "sent itself SIGTERM", 32),
    ("onAThread()", "sent itself SIGTERM", 41), ("inOneOrder()", "sent itself SIGTERM", 52),
    ("letsItComeLater()", "sent itself SIGUSR2", 60), ("leavesByExit()", "exit(3)", 65),
    ("leavesAtOnce()", "exit(4)", 67), ("stops()", "the program sent itself SIGSTOP", 13),
  ])
  func `is told with its line, whichever way it is sent`(name: String, words: String, line: Int) throws {
    let said = try issue(name).said
    #expect(said.contains(words))
    #expect(said.contains("Signaling.swift:\(line)"))
    #expect(said.contains("violates no-crash"))
    #expect(said.contains("reproduced 10/10"))
  }

  @Test func `leaves the other tests to go on`() {
    #expect(Fixtures.signaling.contains("Test passesBeside() passed"))
    #expect(Fixtures.signaling.contains("Test run with"))
  }

  @Test(arguments: [
    "isIgnored(number:)", "hasAHandler()", "hasAHandlerFromBefore()", "isIgnoredFromBefore()",
    "isIgnoredHere()",
    "isBlocked()",
  ])
  func `ends nothing where the program has said so`(name: String) {
    #expect(Recorded.all(of: name, in: Fixtures.signaling).isEmpty, "\(Fixtures.signaling.suffix(2_000))")
    #expect(Fixtures.signaling.contains("Test \(name) ") && Fixtures.signaling.contains("passed"))
  }

  @Test(arguments: ["inTheBody()", "inTheBodyByAFlag()", "reapsAll()", "traps()"])
  func `leaves how a copy has ended to be told, though the program ignores its children`(name: String) throws
  {
    #expect(try issue(name).said.contains("Fatal error: the cart is gone"))
  }

  @Test func `leaves every end to be told, though the program ignores its children`() throws {
    #expect(try issue("exits()").said.contains("the process was ended by exit(3)"))
    #expect(try issue("raises()").said.contains("the program sent itself SIGTERM"))
  }

  @Test func `really ends the process where nothing is contained`() {
    for name in ["raises", "kills", "killsItsThread"] {
      #expect(!Fixtures.uncontained("Signaling/\(name)").contains("Test run with 1 test"))
    }
  }
}
