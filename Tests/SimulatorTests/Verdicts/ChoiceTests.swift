import Simulator
import SimulatorStrategies
import Synchronization
import Testing

/// One tape: everything that could go otherwise is a choice on it.
@Suite struct `Choices` {
  @Test func `a range offers its ends, the deadlines pending inside it, and moments in between`() {
    let seen = outcomes(schedules: 500) { simulation in
      for seconds in [1, 3, 4, 5, 9] { Task { try? await Task.sleep(for: .seconds(seconds)) } }
      await Task.yield()
      try await Task.sleep(for: .nanoseconds(1))
      return simulation.choose(in: .seconds(2)...(.seconds(6)))
    }
    let pending = [3, 4, 5].map { Duration.seconds($0) - .nanoseconds(1) }
    #expect(seen.isSuperset(of: [.seconds(2), .seconds(6)] + pending))
    let between = seen.subtracting([.seconds(2), .seconds(6)] + pending)
    #expect(between.count == 6)
    #expect(between.allSatisfy { $0 > .seconds(2) && $0 < .seconds(6) })
  }

  @Test func `a range offers at most eight deadlines, the earliest`() {
    let seen = outcomes(schedules: 1_000) { simulation in
      for milliseconds in 1...20 { Task { try? await Task.sleep(for: .milliseconds(milliseconds)) } }
      try await Task.sleep(for: .nanoseconds(1))
      return simulation.choose(in: .zero ... .seconds(1))
    }
    let deadlines = (1...20).map { Duration.milliseconds($0) - .nanoseconds(1) }
    #expect(seen.intersection(deadlines) == Set(deadlines.prefix(8)))
  }

  @Test(arguments: ["exhaustive", "reduced", "delay"])
  func `a search that met a range decided at once claims nothing of all schedules`(_ strategy: String) throws
  {
    let named = try #require(Strategies.Named.named(strategy))
    let report = explore(schedules: 1_000, strategy: named.make()) { simulation in
      try await Task.sleep(for: simulation.choose(in: .seconds(1)...(.seconds(2))))
    }
    #expect(report.schedules < 1_000)
    #expect(report.coverage == nil)
    #expect(report.coverageText.contains("`choose(in:)` must answer at once"))
  }

  @Test func `the natural choice is the first, and a single option is no choice`() {
    let execution = simulate { simulation in
      #expect(simulation.choose(among: ["first", "second"]) == "first")
      #expect(simulation.choose(among: ["only"]) == "only")
      #expect(simulation.choose(in: .seconds(1)...(.seconds(2))) == .seconds(1))
      #expect(simulation.choose(in: .seconds(1)...(.seconds(1))) == .seconds(1))
    }
    #expect(execution.choices.map(\.kind) == [.alternative, .delay])
    #expect(execution.schedule == .natural)
  }

  @Test func `an anytime action happens at any point, by nature at the end`() {
    let program: @Sendable (Simulation) async throws -> [String] = { simulation in
      let log = Log<String>()
      simulation.anytime { log.append("action") }
      log.append("begin")
      await Task.yield()
      log.append("yielded")
      try await Task.sleep(for: .seconds(1))
      log.append("slept")
      return log.all
    }
    #expect(
      outcomes(program) == [
        ["begin", "yielded", "slept"], ["begin", "yielded", "action", "slept"],
        ["begin", "action", "yielded", "slept"],
      ])
    #expect(outcomes(schedules: 1, program) == [["begin", "yielded", "slept"]])
  }

  @Test func `several anytime actions happen in any order, each once, and may start tasks`() {
    let seen = outcomes { simulation in
      let log = Log<Int>()
      for number in 1...3 { simulation.anytime { Task { log.append(number) } } }
      try await Task.sleep(for: .seconds(1))
      for _ in 0..<100 where log.all.count < 3 { await Task.yield() }
      return log.all
    }
    #expect(seen.isSuperset(of: permutations([1, 2, 3])))
    #expect(seen.allSatisfy { Set($0).count == $0.count })
  }
}

/// A schedule as one word.
@Suite struct `Tokens` {
  static let race: @Sendable (Simulation) async throws -> Void = { simulation in
    let counter = Counter()
    async let first: Void = counter.set(counter.value + 1)
    async let second: Void = counter.set(counter.value + 1)
    _ = await (first, second)
    if await counter.value != 2 { simulation.fail("no lost update", "one is lost") }
  }

  @Test func `a token survives the round trip`() throws {
    let deviations = [(0, 1, 2), (14, 1, 3), (999_999_999, 4, 999_999_999)].map {
      Schedule.Deviation(position: $0.0, taken: $0.1, options: $0.2)
    }
    for list in [[], Array(deviations.prefix(1)), deviations] {
      for build in [Schedule.Token.Build.debug, .release] {
        let token = Schedule.Token(build: build, schedule: Schedule(deviations: list), digest: 0x9f2c)
        #expect(try Schedule.Token(parsing: token.description) == token)
      }
    }
    #expect(Schedule.Token(build: .debug, schedule: .natural, digest: 1).description == "debug/#00000001")
    for overlaps in [false, true] {
      let schedule = Schedule(deviations: deviations, hasPreemptibleSteps: overlaps)
      let token = Schedule.Token(build: .release, schedule: schedule, digest: 1, hashSeed: .max)
      #expect(token.description.hasPrefix("release-hash4294967295\(overlaps ? "-overlapping" : "")/0:1/2,"))
      #expect(try Schedule.Token(parsing: token.description) == token)
    }
  }

  @Test(arguments: [
    ("", Schedule.Token.ParsingError.noBuild), ("debug", .noBuild), ("fast/#00000000", .unknownBuild("fast")),
    ("debug/1:1/2", .noDigest), ("debug/#0000000", .badDigest("0000000")),
    ("debug/#0000000g", .badDigest("0000000g")), ("debug/#١٢٣٤٥٦٧٨", .badDigest("١٢٣٤٥٦٧٨")),
    ("debug/1:1/2,#00000000", .badDeviation("")), ("debug/1:0/2#00000000", .badDeviation("1:0/2")),
    ("debug/1:2/2#00000000", .badDeviation("1:2/2")), ("debug/-1:1/2#00000000", .badDeviation("-1:1/2")),
    ("debug/1:1#00000000", .badDeviation("1:1")), ("debug/1:1/2/3#00000000", .badDeviation("1:1/2/3")),
    ("debug/1:1:1/2#00000000", .badDeviation("1:1:1/2")),
    ("debug/9999999999:1/2#00000000", .badDeviation("9999999999:1/2")),
    ("debug-hash/#00000000", .badHashSeed("debug-hash")), ("debug-hash0/#0", .badHashSeed("debug-hash0")),
    ("debug-hash-1/#0", .badHashSeed("debug-hash-1")), ("-hash1/#00000000", .unknownBuild("-hash1")),
    ("debug-hash4294967296/#0", .badHashSeed("debug-hash4294967296")),
    ("debug/2:1/2,2:1/2#00000000", .notAscending(position: 2)),
    ("debug/2:1/2,1:1/2#00000000", .notAscending(position: 1)),
  ]) func `a text that is no token is refused with the reason`(
    _ text: String, _ error: Schedule.Token.ParsingError
  ) {
    #expect(throws: error) { try Schedule.Token(parsing: text) }
    #expect(!error.description.isEmpty)
  }

  @Test func `a text that is too long is refused before it is read`() {
    let text = "debug/" + String(repeating: "1", count: Schedule.Token.maximumLength)
    #expect(throws: Schedule.Token.ParsingError.tooLong(limit: 4 << 20)) { try Schedule.Token(parsing: text) }
  }

  @Test func `a violation replays exactly from its token`() throws {
    let violation = try #require(explore("race", Self.race).violations.first)
    let token = try Schedule.Token(parsing: violation.token.description)
    for _ in 1...3 {
      let replay = Explorer(name: "race", body: Self.race).replay(token)
      #expect(replay.divergence == nil)
      #expect(replay.execution.violations.map(\.message) == ["one is lost"])
      #expect(replay.execution.trace.digest == violation.trace.digest)
    }
    #expect(simulate(token.schedule, Self.race).trace.digest == violation.trace.digest)
  }

  @Test func `any changed digit gives divergence`() throws {
    let violation = try #require(explore("race", Self.race).violations.first)
    let text = Array(violation.token.description)
    var tried = 0
    for index in text.indices where text[index].isHexDigit && index > 5 {
      for digit in "0123456789abcdef" where digit != text[index] {
        var changed = text
        changed[index] = digit
        guard let token = try? Schedule.Token(parsing: String(changed)) else { continue }
        tried += 1
        let replay = Explorer(name: "race", body: Self.race).replay(token)
        #expect(replay.divergence != nil, "\(token)")
      }
    }
    #expect(tried > 100)
  }

  @Test func `another program gives divergence`() throws {
    let violation = try #require(explore("race", Self.race).violations.first)
    let replay = Explorer(name: "other") { simulation in
      await Task.yield()
      try await Self.race(simulation)
    }.replay(violation.token)
    #expect(replay.divergence != nil)
    let shorter = Explorer(name: "shorter") { _ in }.replay(violation.token)
    // The natural order meets every program: what is said is that nothing is violated any more.
    #expect(shorter.nothingViolatedText != nil)
  }
}
