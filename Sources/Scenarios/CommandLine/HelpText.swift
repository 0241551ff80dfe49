import ScenarioFiles

/// What `--help` prints; it fits 80 columns.
enum HelpText {
  /// The help of one command, or of the tool.
  static func of(_ command: CommandName?) -> String {
    switch command {
    case nil: general
    case .run: run
    case .fuzz: fuzz
    case .merge: merge
    case .list: list
    case .check: check
    case .schema: schema
    case .new: new
    case .expect: expect
    case .replay: replay
    case .trace: trace
    case .audit: audit
    case .exits: exits
    }
  }

  /// One line.
  static func usage(of command: CommandName) -> String {
    switch command {
    case .run: "simrun [run] [OPTION]... [FILE]..."
    case .fuzz: "simrun fuzz [OPTION]... [SYSTEM]..."
    case .merge: "simrun merge [OPTION]... REPORT..."
    case .list: "simrun list [--markdown] [--pages FOLDER] [SYSTEM]"
    case .check: "simrun check [FILE]..."
    case .schema: "simrun schema [SYSTEM|scenarios|report]"
    case .new: "simrun new SYSTEM [FILE]"
    case .expect: "simrun expect [OPTION]... [FILE]..."
    case .replay: "simrun replay [OPTION]... FILE SCENARIO VARIANT TOKEN"
    case .trace: "simrun trace [OPTION]... FILE SCENARIO VARIANT [TOKEN]"
    case .audit: "simrun audit [FILE [SCENARIO]]"
    case .exits: "simrun exits"
    }
  }

  private static var general: String {
    """
    Usage: \(CommandName.allCases.map(usage).joined(separator: "\n       "))

    Runs the scenarios in FILE (\(CommandLineTool.defaultFile) unless named) under a scheduler that
    decides everything, in virtual time, and says which invariants break.

    Commands:
      run       Run scenarios; what happens when no command is given.
      fuzz      Make stories up, from what the systems allow, and run them.
      merge     Join the reports of a run that several machines have shared.
      list      List the systems, or explain one of them.
      check     Report every error in scenario files; run nothing.
      schema    Print the JSON Schema of a scenario file, or of a JSON report.
      new       Make a scenario file of a system, to start from.
      expect    Say what the variants of a new scenario do, and write it there.
      replay    Show a schedule that was found as a timeline.
      trace     Show any schedule so, one in which nothing breaks too.
      audit     Show which layer works on which domain, and check the boundaries.
      exits     List the calls by which a program leaves a simulation.

    \(runOptions)
    \(commonOptions)

    A first FILE without a "." or "/" in its name needs "run" or "./" before it.

    \(exitStatus)

    """
  }

  private static var run: String {
    """
    Usage: \(usage(of: .run))

    Runs every scenario in FILE (\(CommandLineTool.defaultFile) unless named) with every variant of
    its system. Nothing is run if a file is wrong, or a report cannot be written.

    What a file expects is the baseline: a violation that it knows does not fail
    the run, one that it does not know does. Where a known one is no longer found,
    or a recorded schedule no longer shows one, the file is outdated: the report
    says so, and the run fails with --strict. Recorded schedules ("replays") run
    first, always.

    A sign begins each verdict: ✓ it holds, ⊗ it breaks, as expected, ! it is
    outdated, ✗ it is not as expected, – it was not searched to the end.

    A variant is searched in one process. The natural order and the schedule of
    each violation run in a fresh one as well; where the first execution differs
    from later ones, each runs in a fresh one.

    \(runOptions)
    \(commonOptions)

    \(exitStatus)

    """
  }

  private static var merge: String {
    """
    Usage: \(usage(of: .merge))

    Joins reports of shards (simrun --shard=I/N --output=json=PATH) into one, with
    one verdict and exit status: what "simrun --shards=N" reports, whatever the
    order. All must be of one run: one executable, one seed, the same files and
    options, each shard once. A shard that was lost is run again: it starts from
    nothing.

    Options:
          --partial         Join what is there, though shards are missing. As JSON
                            it can be merged with the others later. What only all
                            shards can tell is not judged: what is no longer
                            found, and what was never put to the test.
          --verbose         Print all that was found; without it, of scenarios from
                            several files, only what is not as expected.
          --format=FORMAT   \(formats)
          --output=FORMAT=PATH
                            Write a report to PATH too, whole or not at all; a
                            summary is added to what PATH holds. May be given
                            several times.
    \(commonOptions)

    \(exitStatus)

    """
  }

  private static var list: String {
    """
    Usage: \(usage(of: .list))

    Lists the systems with their variants, invariants and scenarios. Explains one
    SYSTEM: plays its scenarios in \(CommandLineTool.defaultFile) and shows, for each variant that
    breaks, the violation that shows it best, and why the others hold; the lines
    that differ between them, and what each guard is for, where the sources are on
    this machine; then every name that scenarios may use.

    Options:
          --markdown        Print Markdown: of SYSTEM a page with all of that;
                            without SYSTEM an index of the systems by kind of race.
          --pages FOLDER    As --markdown, and write the page of each system to
                            FOLDER, as SYSTEM.md.
    \(commonOptions)

    """
  }

  private static var exits: String {
    """
    Usage: \(usage(of: .exits))

    Lists, as Markdown, the calls by which a program leaves a simulation, what
    becomes of each and what a program does instead; then calls that look alike
    and do not leave.

    \(commonOptions)

    """
  }

  /// The formats of a report, in the right column of the options.
  static var formats: String {
    let names = ReportFormat.all.map { format in format.name + (format.remark.map { " (\($0))" } ?? "") }
    let list = names.dropLast().joined(separator: ", ") + ", or " + (names.last ?? "")
    return TwoColumns.wrapped("What standard output gets: \(list).", width: 52)
      .joined(separator: "\n" + String(repeating: " ", count: 28))
  }

  private static let runOptions = """
    Options:
          --filter=GLOB     Run only the scenarios whose names match; may be given
                        several times.
          --holding         Run only the variants that are to hold, without
                            the time that it takes to explain the others.
          --schedules=N     Try N schedules a variant, whatever the file says.
          --seed=N          Derive random choices from N; 0 unless said.
          --strategy=NAME   Search with this strategy, whatever the file says.
          --fresh           Run each execution in a process that has run nothing
                            before: what a program keeps in a global, a static or
                            a lazy value is new each time. It takes some
                            milliseconds a schedule. What simulated code prints
                            is not shown.
          --strict          Fail also where a known violation is no longer found,
                            and where something was never put to the test: a
                            route never called, a fault never struck, an action
                            never possible, an invariant with nothing to judge,
                            a search that --time-limit ended. Each variant that
                            is to hold is judged by itself; what it rightly
                            never meets a file names under "untested".
          --jobs=N          Search in N processes at the same time; one more
                            than there are processors unless said. One variant of
                            more than 1,000 schedules may take them all. What
                            is found and printed does not depend on it.
          --time-limit=TIME End after TIME (30s, 2m) of real time and report what
                            has been found until then.
          --shard=I/N       Search shard I of N only, so that N machines share the
                            work; "simrun merge" joins their reports, which
                            --output=json=PATH writes. Of each variant a shard
                            tries every N-th round of 32 schedules, as I says;
                            what cannot be divided one shard does alone.
          --shards=N        Search N shards one after the other, and report what
                            a merge of their reports would.
          --record          Add newly found schedules to "replays" in FILE; every
                            other byte of it stays.
          --format=FORMAT   \(formats)
          --output=FORMAT=PATH
                            Write a report to PATH too, whole or not at all; a
                            summary is added to what PATH holds. May be given
                            several times.
          --timings         Show wall-clock times too: in json, in junit, and on
                            standard error.
          --verbose         Print all that was found. Without it, of scenarios from
                            several files, only what is not as expected.

    Environment:
      SIMULATOR_STALL_SECONDS
                            How long a step may take of real time; 5 unless set.
      SIMULATOR_MEMORY_MIB  How much memory a process may use; 2048 unless set, or
                            half of what the machine has; never more than its
                            group of processes or its address space has.
    """

  static let commonOptions = """
      -h, --help            Print this help and exit.
          --version         Print the version and exit.
    """

  static let exitStatus = """
    Exit status:
      0  all is as expected; without --strict also where something that a file
         says is outdated
      1  something is not as expected
      2  the command line or a file is wrong, or a report could not be written
         where it was to go; nothing was run
      3  something could not be judged, because its processes were ended from
         outside; or the simulator itself failed, or in the end a report or a
         recording could not be written
    130  Ctrl-C; what was known by then has been printed (129: SIGHUP,
         143: SIGTERM)
    """
}
