import Foundation
import Glibc
import Simulator
import Synchronization
import Testing

/// What a program learns of the time, of chance, of itself and of the machine: the same in every run of a schedule.
@Suite struct `Questions to the system` {
  /// The functions that Documentation/ANSWERS.md says are answered.
  static let listed: [String] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Documentation/ANSWERS.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard let library = text.firstRange(of: "## libc"), let begin = text.firstRange(of: "### Answered"),
      let end = text.firstRange(of: "### An escape"), library.upperBound < begin.lowerBound
    else { return [] }
    let bullets = text[begin.upperBound..<end.lowerBound].split(separator: "\n- ")
    return bullets.flatMap { bullet -> [String] in
      let head = bullet.split(separator: "`:").first ?? ""
      return head.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }()

  /// Those that other tests ask, or whose answer is the end of the process.
  static let askedElsewhere: Set = [
    "sched_getaffinity", "pthread_getaffinity_np", "raise", "kill", "killpg", "sigqueue", "tgkill",
    "pthread_kill",
    "pthread_sigqueue", "pthread_sigmask", "sigprocmask", "exit", "_exit", "_Exit", "quick_exit", "abort",
  ]

  @Test func `that are listed as answered are asked here`() {
    #expect(Self.listed.count > 40)
    #expect(Set(Self.listed).subtracting(Self.askedElsewhere) == Set(Question.all.keys))
  }

  /// What `ask` says in a simulation.
  private func answer(_ ask: @escaping @Sendable () -> String) throws -> String {
    let said = Mutex<String?>(nil)
    var explorer = Explorer(name: "asks", options: Simulation.Options(steps: .atomic)) { _ in
      let answer = ask()
      said.withLock { $0 = answer }
    }
    explorer.budget.schedules = 1
    let report = explorer.explore()
    #expect(report.violations.map(\.message) == [])
    let answer = said.withLock { $0 }
    return try #require(answer)
  }

  @Test(arguments: Question.all.keys.sorted()) func `have the same answer in every run`(_ name: String) throws
  {
    let question = try #require(Question.all[name])
    let first = try answer(question.ask)
    usleep(2_000)
    #expect(try answer(question.ask) == first)
    if let expected = question.answer { #expect(first == expected) }
  }

  @Test func `are asked of the system outside a simulation`() throws {
    for name in ["timespec_get", "getppid", "getpgrp", "getauxval", "getloadavg", "ftime", "syscall"] {
      let question = try #require(Question.all[name])
      #expect(question.ask() != question.answer, "\(name)")
    }
  }

  @Test func `have the same answer by their names in Swift`() throws {
    let ask: @Sendable () -> String = {
      let process = ProcessInfo.processInfo
      return [
        "\(Date().timeIntervalSince1970)", "\(ContinuousClock.now)", "\(SuspendingClock.now)",
        "\(process.systemUptime)",
        "\(DispatchTime.now().uptimeNanoseconds)", "\(DispatchWallTime.now())",
        "\(Date.timeIntervalSinceReferenceDate)",
        "\(Int.random(in: 0..<1_000_000))", "\(UUID())", "\(SystemRandomNumberGenerator.drawn)",
        "\(process.processIdentifier)", process.globallyUniqueString, process.hostName,
        "\(process.processorCount)",
        "\(process.activeProcessorCount)", "\(process.physicalMemory)", process.operatingSystemVersionString,
        NSUserName(), NSHomeDirectory(), FileManager.default.currentDirectoryPath, "\(Locale.current)",
        "\(TimeZone.current)", "\(Calendar.current)", process.environment["PATH"] ?? "",
        "\([1, 2, 3, 4, 5].shuffled())",
        "\(Set((0..<20).map { "\($0)" }))",
      ].joined(separator: "\n")
    }
    let first = try answer(ask)
    usleep(2_000)
    #expect(try answer(ask) == first)
  }

  @Test func `about the time of the processor follow the virtual time`() throws {
    let said = Mutex<[Int]>([])
    var explorer = Explorer(name: "computes", options: Simulation.Options(steps: .atomic)) { simulation in
      let before = clock()
      try await Task.sleep(for: .milliseconds(20))
      said.withLock { $0.append(clock() - before) }
    }
    explorer.budget.schedules = 1
    #expect(explorer.explore().holds)
    #expect(said.withLock { $0 }.first == 20_000)
  }
}

extension SystemRandomNumberGenerator {
  fileprivate static var drawn: UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}
