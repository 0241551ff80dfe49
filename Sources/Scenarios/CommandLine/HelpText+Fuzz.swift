extension HelpText {
  /// `simrun fuzz --help`.
  static var fuzz: String {
    """
    Usage: \(usage(of: .fuzz))

    Needs no file: makes up what the user does and what the world answers, from the
    descriptor of each SYSTEM (all unless named), and checks every invariant of it.
    Each action, argument, cancel, reply, fault, delay and setting is a choice on
    the tape, as are ten seconds without a connection and the order of steps: a
    story that breaks something is made as small as any other schedule, and
    replayed by "simrun replay \(CommandLineTool.madeUp)".

    What was tried is told at the end, and by its name what never was: actions,
    cancels, answers, faults, settings, and which two actions overlapped.

    A variant that is meant to hold must do so in every story within the bound and
    in those that are drawn; one that is meant to break must break in one of them.

    \(fuzzOptions)
    \(commonOptions)

    \(exitStatus)

    """
  }

  private static var fuzzOptions: String {
    """
    Options:
          --filter=GLOB     Play only the scenarios of which the name, or that of
                            the system, matches: "*.all-stories-*", "sign-*".
                            May be given several times.
          --variant=NAME    Play only this variant; may be given several times.
          --schedules=N     Draw N stories a variant; 20,000 unless said.
          --actions=N       Of at most N actions each; 6 unless said.
          --bound=A,W,D     Try every story of at most A actions, W answers of the
                            world that are not the usual one, and D deviations from
                            the natural order; 2,1,1 unless said. Or none.
          --seed=N          Derive random choices from N; 0 unless said.
          --strict          Fail also where something was never put to the test.
          --record=PATH     Write each story that breaks something to the new file
                            PATH, as an ordinary scenario, which is played before
                            it is written: it breaks the same. Where it does not
                            within its schedules, that is said, and nothing is
                            written of it.
          --jobs=N          Search in N processes at the same time; one more
                            than there are processors unless said.
          --time-limit=TIME End after TIME (30s, 2m) of real time and report what
                            has been found until then.
          --shard=I/N       Search shard I of N only: see "simrun run --help".
          --shards=N        Search N shards one after the other.
          --format=FORMAT   \(formats)
          --output=FORMAT=PATH
                            Write a report to PATH too, whole or not at all; a
                            summary is added to what PATH holds. May be given
                            several times.
          --timings         Show wall-clock times too.
          --verbose         Print all that was found; without it, of several
                            systems, only what is not as expected.
    """
  }
}
