import Testing

@testable import Scenarios

@Suite struct CommandParsingTests {
  private func command(_ line: String) throws -> Command {
    try Command(line.split(separator: " ").map(String.init), in: .test)
  }

  private func run(_ change: (inout RunOptions) -> Void) -> Command {
    var options = RunOptions()
    change(&options)
    return .run(options)
  }

  @Test func `every command is understood`() throws {
    #expect(try command("") == .run(RunOptions()))
    #expect(try command("run") == .run(RunOptions()))
    #expect(try command("a.json") == run { $0.files = ["a.json"] })
    #expect(try command("run a b") == run { $0.files = ["a", "b"] })
    #expect(try command("list") == .list(system: nil, asMarkdown: false))
    #expect(try command("list counter") == .list(system: "counter", asMarkdown: false))
    #expect(try command("list --markdown") == .list(system: nil, asMarkdown: true))
    #expect(try command("list --pages a") == .list(system: nil, asMarkdown: true, pages: "a"))
    #expect(try command("check a.json b.json") == .check(files: ["a.json", "b.json"]))
    #expect(try command("schema") == .schema(.scenarios))
    #expect(try command("schema scenarios") == .schema(.scenarios))
    #expect(try command("schema report") == .schema(.report))
    #expect(try command("schema counter") == .schema(.system("counter")))
    #expect(try command("new counter") == .new(NewOptions(system: "counter")))
    #expect(try command("new counter a.json") == .new(NewOptions(system: "counter", path: "a.json")))
    #expect(try command("expect") == .expect(ExpectOptions()))
    #expect(
      try command("expect --write a.json --filter x* --jobs 2 b.json --replace")
        == .expect(
          ExpectOptions(
            files: ["a.json", "b.json"], filters: [Glob("x*")].compactMap { $0 }, writes: true,
            replaces: true, pool: PoolSettings(jobs: 2))))
    #expect(
      try command("fuzz --filter a* --filter=b")
        == .fuzz(FuzzOptions(filters: [Glob("a*"), Glob("b")].compactMap { $0 })))
    #expect(
      try command("replay f s v t")
        == .replay(ReplayOptions(file: "f", scenario: "s", variant: "v", token: "t")))
    #expect(
      try command("trace f s v t --output html=a.html")
        == .trace(
          ReplayOptions(file: "f", scenario: "s", variant: "v", token: "t", recording: nil, page: "a.html")))
    #expect(
      try command("trace f s v")
        == .trace(ReplayOptions(file: "f", scenario: "s", variant: "v", token: nil)))
    #expect(try command("audit") == .audit(file: nil, scenario: nil))
    #expect(try command("audit f") == .audit(file: "f", scenario: nil))
    #expect(try command("audit f s") == .audit(file: "f", scenario: "s"))
    #expect(try command("--version") == .version)
    #expect(try command("-h") == .help(nil))
    #expect(try command("check --help") == .help(.check))
    #expect(try command("--help list") == .help(.list))
    #expect(try command("-h x") == .help(nil))
    #expect(try command("--jobs 2 --help x") == .help(nil))
    #expect(try command("help") == .help(nil))
    #expect(try command("help fuzz") == .help(.fuzz))
  }

  @Test func `options stand anywhere and take their value in two ways`() throws {
    let wanted = run {
      $0.files = ["a.json"]
      $0.filters = [Glob("x*")].compactMap { $0 }
      $0.overrides = SearchOverrides(schedules: 5, seed: 7, strategy: "random")
    }
    #expect(try command("--filter=x* a.json --schedules 5 --seed=7 --strategy random") == wanted)
    #expect(
      try command("--schedules 9 run --seed 7 a.json --strategy=random --schedules=5 --filter x*") == wanted)
  }

  @Test func `reports are asked for by format and place`() throws {
    let wanted = run {
      $0.outputs.format = .github
      $0.outputs.files = [
        OutputFile(format: .junit, path: "a=b.xml"), OutputFile(format: .json, path: "r.json"),
      ]
      $0.outputs.hasTimings = true
      $0.records = true
    }
    #expect(
      try command("--format github --output junit=a=b.xml --output=json=r.json --timings --record") == wanted)
  }

  @Test func `a run is divided, and its reports are merged`() throws {
    #expect(try command("--shard 3/16") == run { $0.shards = .one(ShardNumber(index: 3, count: 16)) })
    #expect(try command("run --shard=16/16") == run { $0.shards = .one(ShardNumber(index: 16, count: 16)) })
    #expect(try command("--shards 4 --shards 5") == run { $0.shards = .all(5) })
    let merge = MergeOptions(
      files: ["a.json", "b.json"], isPartial: true,
      outputs: Outputs(format: .github, files: [OutputFile(format: .json, path: "c.json")]))
    #expect(
      try command("merge a.json --partial --output json=c.json --format github b.json") == .merge(merge))
    #expect(try command("merge -- -a") == .merge(MergeOptions(files: ["-a"])))
  }

  @Test func `after two dashes all are operands`() throws {
    #expect(try command("run -- --seed a") == run { $0.files = ["--seed", "a"] })
    #expect(try command("-- check") == run { $0.files = ["check"] })
    #expect(try command("check -- -a.json") == .check(files: ["-a.json"]))
  }

  private static let wrong = [
    ("chekc a.json", #"unknown command "chekc"; did you mean "check"?"#),
    ("--sede 1", #"unknown option "--sede"; did you mean "--seed"?"#),
    ("list --seed 1", #"unknown option "--seed"; allowed: "--markdown", "--pages", "--help", "--version""#),
    ("-x", #"unknown option "-x""#),
    ("--seed", "--seed needs a value, as in --seed=VALUE"),
    ("--help=yes", "--help takes no value"),
    ("--seed -1", #"--seed: found "-1"; allowed: a whole number from 0 to 18446744073709551615"#),
    ("--seed=", #"--seed: found """#),
    ("--schedules 0", #"--schedules: found "0"; allowed: a whole number from 1 to 10000000"#),
    ("--schedules 1_000", #"--schedules: found "1_000""#),
    ("--strategy portfolo", #"unknown strategy "portfolo"; did you mean "portfolio"?"#),
    ("--filter [a", #"the pattern "[a" has a "[" that is not closed; add its "]""#),
    ("new", "SYSTEM is missing; usage: simrun new SYSTEM [FILE]"),
    ("new counter a.json b", #"unexpected operand "b"; usage: simrun new"#),
    ("new counter --write", #"unknown option "--write"; allowed: "--help""#),
    ("expect --write=yes", "--write takes no value"),
    ("expect --replace=all", "--replace takes no value"),
    ("expect --schedules 1", #"unknown option "--schedules"; allowed: "--write", "--replace""#),
    ("--write", #"unknown option "--write""#),
    ("fuzz --filter [a", #"the pattern "[a" has a "[" that is not closed"#),
    ("replay f s", "VARIANT is missing; usage: simrun replay [OPTION]... FILE SCENARIO VARIANT TOKEN"),
    ("replay f s v t u", #"unexpected operand "u"; usage: simrun replay"#),
    ("trace f s", "VARIANT is missing; usage: simrun trace [OPTION]... FILE SCENARIO VARIANT [TOKEN]"),
    ("trace f s v t u", #"unexpected operand "u"; usage: simrun trace"#),
    ("trace f s v --record a.json", #"unknown option "--record"; allowed: "--output""#),
    ("trace f s v --output json=a", #"unknown format "json"; allowed: "html""#),
    ("schema x", #"unknown schema "x"; allowed: "scenarios", "report", "inbox-refresh", "counter""#),
    ("schema report x", #"unexpected operand "x"; usage: simrun schema"#),
    ("replay f s v t --output json=a", #"unknown format "json"; allowed: "html""#),
    ("--format xml", #"unknown format "xml"; allowed: "text", "json", "junit", "github", "html""#),
    ("--output report.xml", #"--output: found "report.xml"; allowed: FORMAT=PATH"#),
    ("--output junit=", #"--output: found "junit="; allowed: FORMAT=PATH"#),
    ("--output xml=a", #"unknown format "xml""#),
    ("--output json=a --output junit=./a", #"--output: two reports to "./a""#),
    ("--schedules 10000001", #"--schedules: found "10000001""#),
    ("--seed 18446744073709551616", #"--seed: found "18446744073709551616""#),
    ("--jobs 0", #"--jobs: found "0"; allowed: a whole number from 1 to 256"#),
    ("--jobs all", #"--jobs: found "all"; allowed: a whole number from 1 to 256"#),
    ("--time-limit 0s", #"--time-limit: found "0s"; allowed: a time such as 30s, 2m or 500ms"#),
    ("--time-limit soon", #"--time-limit: found "soon"; allowed: a time such as 30s, 2m or 500ms"#),
    (
      "--shard 0/4",
      #"--shard: found "0/4"; allowed: I/N with I from 1 to N and N up to 1000, as in --shard 3/16"#
    ),
    ("--shard 5/4", #"--shard: found "5/4""#),
    ("--shard 1", #"--shard: found "1""#),
    ("--shard 1/2/3", #"--shard: found "1/2/3""#),
    ("--shard +1/2", #"--shard: found "+1/2""#),
    ("--shard 1/1001", #"--shard: found "1/1001""#),
    ("--shards 0", #"--shards: found "0"; allowed: a whole number from 1 to 1000"#),
    ("--shard 1/2 --shards 2", "--shard does not go with --shards: the one runs one shard, the other all"),
    ("--shard 1/2 --record", "--record does not go with --shard: each machine has files of its own"),
    ("--shards 2 --timings", "--timings does not go with --shards: a merge prints the same bytes"),
    ("fuzz --bound 2,1", #"--bound: found "2,1"; allowed: how many actions"#),
    ("fuzz --bound 0,1,1", #"--bound: found "0,1,1""#),
    ("fuzz --bound 2,1,17", #"--bound: found "17"; allowed: a whole number from 0 to 16"#),
    ("fuzz --actions 17", #"--actions: found "17"; allowed: a whole number from 1 to 16"#),
    ("fuzz --variant", "--variant needs a value"),
    ("fuzz inbox", #"unknown system "inbox"; allowed: "inbox-refresh""#),
    ("fuzz --record", "--record needs a value, as in --record=VALUE"),
    (
      "fuzz --record a.json --shard 1/2",
      "--record does not go with --shard: no machine has all that is found"
    ),
    ("replay a.json s naive t --record b.json", "--record of a replay writes a story that was made up"),
    ("--bound 2,1,1", #"unknown option "--bound""#),
    ("--partial", #"unknown option "--partial""#),
    ("merge --shard 1/2 a.json", #"unknown option "--shard"; allowed: "--partial""#),
    ("merge", "REPORT is missing; usage: simrun merge [OPTION]... REPORT..."),
    ("merge --partial=yes a.json", "--partial takes no value"),
    ("--holding=yes", "--holding takes no value"),
    ("--fresh=yes", "--fresh takes no value"),
    ("--strict=yes", "--strict takes no value"),
    ("--record=all", "--record takes no value"),
    ("--timings=1", "--timings takes no value"),
    ("--verbose=1", "--verbose takes no value"),
    ("help fuz", #"unknown command "fuz"; did you mean "fuzz"?"#),
    ("list --markdown=all", "--markdown takes no value"),
    ("list --pages", "--pages needs a value"),
    ("--version=2", "--version takes no value"),
  ]

  @Test(arguments: wrong)
  func `the error about a wrong command line says what is wrong`(line: String, error: String) {
    #expect {
      try command(line)
    } throws: {
      "\($0)".hasPrefix(error)
    }
  }

  @Test func `of many names three are shown, those first that hold a word of what was written`() {
    let names = (1...40).map { "scenario-\($0)" } + ["slow-dismiss", "slow-dismiss-anytime"]
    let fault = CommandLineFault.nothingMatches("slow-dismis*d", names: names)
    let shown = #""slow-dismiss", "slow-dismiss-anytime", "scenario-1" and 39 more"#
    #expect("\(fault)".hasSuffix("allowed: \(shown)"))
  }

  @Test func `every option has been given a value that it refuses`() {
    let refusing = Self.wrong.flatMap { $0.0.split { $0 == " " || $0 == "=" } }
    #expect(Option.allCases.allSatisfy { refusing.contains($0.rawValue[...]) })
  }
}
